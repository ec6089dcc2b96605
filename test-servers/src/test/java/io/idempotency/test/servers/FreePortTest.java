package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two servers that start at the same moment never get one port. */
final class FreePortTest {

    private static final int MANY = 500;

    /** What the other JVM runs: it says which ports it was given, and waits. */
    static final class Other {

        private Other() {}

        public static void main(String[] args) throws IOException {
            System.out.println(ports().map(String::valueOf).collect(Collectors.joining(" ")));
            System.exit(System.in.read());
        }
    }

    private static Stream<Integer> ports() {
        return IntStream.range(0, MANY).mapToObj(i -> FreePort.next());
    }

    @Test
    void noPortIsGivenAwayTwiceByJvmsThatRunSideBySide() throws IOException {
        List<String> own = ports().map(String::valueOf).toList();
        assertThat(own).doesNotHaveDuplicates();
        Process other = new ProcessBuilder(ChildJvm.command(Other.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader()) {
            assertThat(said.readLine().split(" ")).hasSize(MANY).doesNotContainAnyElementsOf(own);
        } finally {
            other.destroyForcibly();
        }
    }
}
