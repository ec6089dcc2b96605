package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Getters that Lombok adds while the operations that read them are compiled. */
class LombokTest {

    private static final String SOURCE = """
            package demo;
            import io.idempotency.*;
            import java.math.BigDecimal;
            @jakarta.inject.Singleton
            public class Payments {
                @IdempotentOperation(key = "order.id") public void pay(Order order) {}
                @lombok.Value public static class Order { String id; BigDecimal amount; }
            }
            """;

    @Test
    void keysAndFingerprintsReadItsGetters() {
        Compiled payments = Compilation.afterLombok(List.of(), SOURCE).load();
        Object ten = payments.create("demo.Payments$Order", "o-1", BigDecimal.TEN);
        Object alsoTen = payments.create("demo.Payments$Order", "o-1", new BigDecimal("10.0"));
        Object one = payments.create("demo.Payments$Order", "o-1", BigDecimal.ONE);

        assertThat(payments.key(ten)).isEqualTo("o-1");
        assertThat(payments.fingerprint(ten))
                .isEqualTo(payments.fingerprint(alsoTen))
                .isNotEqualTo(payments.fingerprint(one));
    }

    @Test
    void behindMicronautsProcessorsItComesTooLateAndTheCompilerSaysSo() {
        assertThat(Compilation.beforeLombok(SOURCE).errors())
                .hasSize(2)
                .anyMatch(error -> error.contains("The key 'order.id' breaks at 'id'"))
                .anyMatch(error -> error.contains("its fields amount, id cannot be read"));
    }
}
