package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever the processor accepts compiles without a warning and can be fingerprinted; whatever it does not is refused by
 * a message of ours, and never by the compiler in generated code or by Micronaut.
 */
@Tag("thorough")
class RandomTypesTest {

    private static final int TRIES = Integer.getInteger("types.tries", 25);
    private static final List<String> OPTIONS = List.of(
            "-Xlint:all,-processing",
            "-Werror",
            "-Amicronaut.idempotency.severity.constantKey=off",
            "-Amicronaut.idempotency.severity.floatingKey=off",
            "-Amicronaut.idempotency.severity.openArgument=off");

    @Test
    void whatIsAcceptedCompilesAndWhatIsNotIsRefusedByUs() {
        long first = Long.getLong("types.seed", System.nanoTime());
        int accepted = 0;
        for (long seed = first; seed < first + TRIES; seed++) {
            Random random = new Random(seed);
            String source = new RandomTypes(random, "demo", true)
                    .with("pay", random, "T")
                    .source();
            String how = "with -Dtypes.seed=" + seed + " -Dtypes.tries=1:\n" + source;
            Compilation compilation = Compilation.afterLombok(OPTIONS, source);
            assertThat(compilation.reportedErrors()).as(how).allMatch(error -> error.contains("[idempotency:"));
            assertThat(compilation.reportedWarnings()).as(how).isEmpty();
            if (compilation.errors().isEmpty()) {
                accepted++;
                Compiled payments = compilation.load();
                assertThat(fingerprint(payments, seed)).as(how).isEqualTo(fingerprint(payments, seed));
            }
        }
        if (TRIES > 10) {
            // about a fifth is refused: now and then none of so few
            assertThat(accepted).as("accepted from -Dtypes.seed=%s", first).isPositive();
        }
    }

    private static String fingerprint(Compiled payments, long seed) {
        return payments.fingerprint(RandomValues.arguments(payments.type("demo.Payments"), "pay", seed));
    }
}
