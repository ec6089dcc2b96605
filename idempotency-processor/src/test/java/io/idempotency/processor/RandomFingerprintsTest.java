package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Over random graphs of types: arguments have one fingerprint exactly if they hold the same, in another JVM of another
 * locale and time zone too. The long form: {@code -Pthorough -Dtest=RandomFingerprintsTest -Dgraphs.tries=100000 -Dtest.heap=4g}.
 */
@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RandomFingerprintsTest {

    private static final long FIRST = Long.getLong("graphs.seed", System.nanoTime() >>> 16);
    private static final int TRIES = Integer.getInteger("graphs.tries", 40);
    /** How many graphs are compiled together. */
    private static final int TOGETHER = Integer.getInteger("graphs.together", 200);

    /** How many of them are the operations of one bean. */
    private static final int IN_BEAN = 20;

    private static final int CHANGES = 6;
    private static final List<String> OPTIONS = List.of(
            "-Amicronaut.idempotency.severity.constantKey=off", "-Amicronaut.idempotency.severity.floatingKey=off");

    private final OtherJvm otherJvm = new OtherJvm();
    private final List<String> failures = new ArrayList<>();

    @AfterAll
    void stop() {
        otherJvm.process.destroy();
    }

    static LongStream compilations() {
        return LongStream.iterate(FIRST, seed -> seed < FIRST + TRIES, seed -> seed + TOGETHER);
    }

    @ParameterizedTest
    @MethodSource("compilations")
    void argumentsHaveOneFingerprintExactlyIfTheyHoldTheSame(long from) {
        failures.clear();
        check(from, Math.min(FIRST + TRIES, from + TOGETHER));
        assertThat(failures).isEmpty();
    }

    private static String name(long seed) {
        return "graph" + seed;
    }

    /** The bean with the graphs of some seeds. */
    private static String source(long from, long to) {
        RandomTypes types = new RandomTypes(new Random(from), "in" + from, false);
        LongStream.range(from, to).forEach(seed -> types.with(name(seed), new Random(seed), "G" + seed + "T"));
        return types.source();
    }

    private void fail(long seed, String why) {
        failures.add("with -Dgraphs.seed=" + seed + " -Dgraphs.tries=1: " + why + "\n" + source(seed, seed + 1));
    }

    /** Checks the graphs of some seeds, each by itself if they do not compile together. */
    private void check(long from, long to) {
        String[] sources = LongStream.iterate(from, seed -> seed < to, seed -> seed + IN_BEAN)
                .mapToObj(seed -> source(seed, Math.min(to, seed + IN_BEAN)))
                .toArray(String[]::new);
        Compilation compilation = Compilation.afterLombok(OPTIONS, sources);
        List<String> reports = Stream.concat(
                        compilation.reportedErrors().stream(), compilation.reportedWarnings().stream())
                .toList();
        if (reports.isEmpty()) {
            compare(compilation.path(), from, to);
        } else if (to - from == 1) {
            fail(from, String.join("\n", reports));
        } else {
            int before = failures.size();
            LongStream.range(from, to).forEach(seed -> check(seed, seed + 1));
            assertThat(failures.size())
                    .as("reported only together: %s", reports)
                    .isGreaterThan(before);
        }
        compilation.delete();
    }

    private void compare(Path classes, long from, long to) {
        List<String> elsewhere = otherJvm.fingerprints(classes, from, to);
        try (Compiled graphs = Compiled.in(classes)) {
            for (long seed = from; seed < to; seed++) {
                String fingerprint = fingerprint(graphs, from, seed);
                String other = elsewhere.get((int) (seed - from));
                if (!fingerprint.equals(other)) {
                    fail(seed, fingerprint + ", and in another JVM " + other);
                }
                try {
                    compareChanges(graphs.type(bean(from, seed)), graphs.definition(name(seed)), seed);
                } catch (RuntimeException | LinkageError e) {
                    fail(seed, e.toString());
                }
            }
        }
    }

    /** The class with a graph in a compilation that begins with another. */
    private static String bean(long from, long seed) {
        return "in" + (seed - (seed - from) % IN_BEAN) + ".Payments";
    }

    private void compareChanges(Class<?> bean, OperationDefinition definition, long seed) {
        Map<String, String> fingerprints = new HashMap<>();
        Map<String, String> contents = new HashMap<>();
        for (int changed = -1; changed < CHANGES; changed++) {
            Object[] arguments = RandomValues.arguments(bean, name(seed), seed, changed);
            String content = Described.of(arguments);
            String fingerprint = Compiled.fingerprintOf(definition, arguments);
            if (!fingerprints.getOrDefault(content, fingerprint).equals(fingerprint)) {
                fail(seed, "two fingerprints of " + content);
            }
            if (!contents.getOrDefault(fingerprint, content).equals(content)) {
                fail(seed, "one fingerprint of " + content + " and " + contents.get(fingerprint));
            }
            fingerprints.put(content, fingerprint);
            contents.put(fingerprint, content);
        }
    }

    private static String fingerprint(Compiled graphs, long from, long seed) {
        try {
            Object[] arguments = RandomValues.arguments(graphs.type(bean(from, seed)), name(seed), seed);
            return Compiled.fingerprintOf(graphs.definition(name(seed)), arguments);
        } catch (RuntimeException | LinkageError e) {
            return e.toString().lines().findFirst().orElseThrow();
        }
    }

    /** A JVM of another locale and time zone. */
    private static final class OtherJvm {

        private final Process process;
        private final BufferedReader answers;

        OtherJvm() {
            try {
                process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Duser.language=tr",
                                "-Duser.country=TR",
                                "-Duser.timezone=Asia/Kathmandu",
                                "-Dfile.encoding=ISO-8859-9",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                OtherJvm.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                answers = process.inputReader(StandardCharsets.US_ASCII);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<String> fingerprints(Path classes, long from, long to) {
            try {
                process.outputWriter().write(from + " " + to + " " + classes + "\n");
                process.outputWriter().flush();
                List<String> fingerprints = new ArrayList<>();
                for (long seed = from; seed < to; seed++) {
                    fingerprints.add(String.valueOf(answers.readLine()));
                }
                return fingerprints;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Answers each line "from to classes" with the fingerprints of these seeds. */
        public static void main(String[] arguments) throws IOException {
            BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                String[] request = line.split(" ", 3);
                try (Compiled graphs = Compiled.in(Path.of(request[2]))) {
                    long from = Long.parseLong(request[0]);
                    LongStream.range(from, Long.parseLong(request[1]))
                            .forEach(seed -> System.out.println(fingerprint(graphs, from, seed)));
                }
                System.out.flush();
            }
        }
    }
}
