package io.idempotency.test.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No server outlives its test: neither a closed one nor one whose JVM was killed. */
@Tag("thorough")
final class LeftoverTest {

    /** What the other JVM runs: it starts both servers, says where they are, and waits. */
    static final class Victim {

        private Victim() {}

        public static void main(String[] args) throws IOException {
            PostgresServer postgres = PostgresServer.onHost();
            RedisServer redis = RedisServer.onHost();
            System.out.println(postgres.port() + " " + redis.port());
            System.exit(System.in.read());
        }
    }

    @Test
    void closedServersLeaveNoProcess() {
        RedisServer redis = RedisServer.onHost();
        PostgresServer postgres = PostgresServer.onHost();
        redis.close();
        postgres.close();
        await().until(() -> serversOf(redis.port()).isEmpty());
        await().until(() -> serversOf(postgres.port()).isEmpty());
    }

    @Test
    void pausedServerCanBeClosed() {
        RedisServer redis = RedisServer.onHost();
        redis.pause();
        redis.close();
        await().until(() -> serversOf(redis.port()).isEmpty());
    }

    @Test
    void serversEndWithAJvmThatWasKilled() throws IOException {
        Process victim = startVictim();
        BufferedReader said = victim.inputReader();
        String[] ports = String.valueOf(said.readLine()).split(" ");
        assertThat(serversOf(Integer.parseInt(ports[0]))).isNotEmpty();
        assertThat(serversOf(Integer.parseInt(ports[1]))).isNotEmpty();
        victim.destroyForcibly();
        await().until(() -> serversOf(Integer.parseInt(ports[0])).isEmpty());
        await().until(() -> serversOf(Integer.parseInt(ports[1])).isEmpty());
    }

    private static Process startVictim() throws IOException {
        return new ProcessBuilder(ChildJvm.command(Victim.class))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The port is part of both servers' command lines. */
    private static List<Long> serversOf(int port) {
        return ProcessHandle.allProcesses()
                .filter(process -> mentions(process.info().arguments(), Integer.toString(port)))
                .filter(process -> !process.info().command().orElse("").endsWith("java"))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static boolean mentions(Optional<String[]> arguments, String port) {
        return arguments.map(List::of).orElse(List.of()).contains(port);
    }
}
