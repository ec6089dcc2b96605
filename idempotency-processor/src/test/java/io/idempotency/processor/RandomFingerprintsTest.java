package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Over random graphs of types: arguments have one fingerprint exactly if they hold the same, in another JVM of another
 * locale and time zone too. The long form: {@code -Dtest=RandomFingerprintsTest -Dgraphs.tries=100000}.
 */
class RandomFingerprintsTest {

    private static final int TRIES = Integer.getInteger("graphs.tries", 40);
    /** How many graphs are compiled together. */
    private static final int TOGETHER = Integer.getInteger("graphs.together", 200);

    private static final int CHANGES = 6;
    private static final List<String> OPTIONS = List.of(
            "-Amicronaut.idempotency.severity.constantKey=off", "-Amicronaut.idempotency.severity.floatingKey=off");

    @Test
    void argumentsHaveOneFingerprintExactlyIfTheyHoldTheSame() {
        long first = Long.getLong("graphs.seed", System.nanoTime() >>> 16);
        for (long seed = first; seed < first + TRIES; seed += TOGETHER) {
            List<Long> seeds = LongStream.range(seed, Math.min(first + TRIES, seed + TOGETHER))
                    .boxed()
                    .toList();
            Compilation compilation = Compilation.with(
                    OPTIONS, seeds.stream().map(RandomFingerprintsTest::source).toArray(String[]::new));
            assertThat(compilation.reportedErrors()).as("from seed %s", seed).isEmpty();
            assertThat(compilation.reportedWarnings()).as("from seed %s", seed).isEmpty();
            Compiled payments = compilation.load();
            seeds.forEach(each -> compareChanges(payments, each));
            assertThat(inAnotherJvm(compilation.path(), seeds)).isEqualTo(fingerprints(payments, seeds));
        }
    }

    private static String name(long seed) {
        return "graph" + seed;
    }

    private static String source(long seed) {
        return new RandomTypes(new Random(seed), name(seed), false).source();
    }

    private static void compareChanges(Compiled payments, long seed) {
        Class<?> type = payments.type(name(seed) + ".Payments");
        OperationDefinition definition = payments.definition(name(seed));
        Map<String, String> fingerprints = new LinkedHashMap<>();
        Map<String, String> contents = new LinkedHashMap<>();
        for (int changed = -1; changed < CHANGES; changed++) {
            Object[] arguments = RandomValues.arguments(type, seed, changed);
            String content = Described.of(arguments);
            String fingerprint = Compiled.fingerprintOf(definition, arguments);
            String how = "with -Dgraphs.seed=" + seed + " -Dgraphs.tries=1:\n" + source(seed) + "\n" + content;
            assertThat(fingerprints.getOrDefault(content, fingerprint)).as(how).isEqualTo(fingerprint);
            assertThat(contents.getOrDefault(fingerprint, content)).as(how).isEqualTo(content);
            fingerprints.put(content, fingerprint);
            contents.put(fingerprint, content);
        }
    }

    private static List<String> fingerprints(Compiled payments, List<Long> seeds) {
        return seeds.stream()
                .map(seed -> Compiled.fingerprintOf(
                        payments.definition(name(seed)),
                        RandomValues.arguments(payments.type(name(seed) + ".Payments"), seed)))
                .toList();
    }

    private static List<String> inAnotherJvm(Path classes, List<Long> seeds) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Duser.timezone=Asia/Kathmandu",
                "-Dfile.encoding=ISO-8859-9",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Elsewhere.class.getName(),
                classes.toString(),
                seeds.get(0).toString(),
                String.valueOf(seeds.size())));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The fingerprints of seeds, on the console. */
    static final class Elsewhere {

        private Elsewhere() {}

        public static void main(String[] arguments) {
            long first = Long.parseLong(arguments[1]);
            List<Long> seeds = LongStream.range(first, first + Long.parseLong(arguments[2]))
                    .boxed()
                    .toList();
            fingerprints(Compiled.in(Path.of(arguments[0])), seeds).forEach(System.out::println);
        }
    }
}
