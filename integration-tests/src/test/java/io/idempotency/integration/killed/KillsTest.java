package io.idempotency.integration.killed;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.servers.MariaDbServer;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.SqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes that share a database are killed and stopped at random, and so are the database and what connects them; afterwards every key is called once more,
 * and what callers were told is compared with what bodies did. Longer, on MariaDB, or with the same choice of faults:
 * {@code -Didempotency.kills.seconds=3600 -Didempotency.kills.database=mariadb -Didempotency.kills.seed=4711}.
 */
@Tag("kills")
@Timeout(value = 7, unit = TimeUnit.DAYS)
class KillsTest {

    private static final Duration SPAN = Duration.ofSeconds(Long.getLong("idempotency.kills.seconds", 120));
    private static final Duration SHORT = Duration.ofSeconds(5);

    /** Kept, for whoever has to find out what happened. */
    private final Path logs = Path.of("target", "kills");

    @BeforeEach
    void makeRoom() throws IOException {
        Files.createDirectories(logs);
    }

    @Test
    void whateverIsKilledNothingRunsTwiceAndEverybodyIsToldTheTruth() throws Exception {
        long seed = Long.getLong("idempotency.kills.seed", System.nanoTime());
        try (SqlServer server = server();
                Kills kills = new Kills(server, logs, new Random(seed))) {
            kills.run(SPAN);
            List<String> breaches = kills.verdict();
            System.out.println("seed " + seed + ", " + kills);
            assertThat(breaches).as("seed %s, %s", seed, kills).isEmpty();
        }
    }

    /** What it is good for: here the database forgets a record, as no store may. */
    @Test
    void aRecordThatIsForgottenIsNoticed() throws Exception {
        try (SqlServer server = server();
                Kills kills = new Kills(server, logs, new Random())) {
            kills.run(SHORT);
            kills.execute("DELETE FROM idempotency_record WHERE state = 'COMPLETED'");
            assertThat(kills.verdict())
                    .anyMatch(breach -> breach.startsWith("a body that ran twice"))
                    .anyMatch(breach -> breach.startsWith("two results of one key"));
        }
    }

    private static SqlServer server() {
        String database = System.getProperty("idempotency.kills.database", "postgresql");
        return switch (database) {
            case "postgresql" -> PostgresServer.onHost();
            case "mariadb" -> MariaDbServer.onHost();
            default ->
                throw new IllegalArgumentException(
                        "idempotency.kills.database is " + database + "; it may be postgresql or mariadb");
        };
    }
}
