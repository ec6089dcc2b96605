package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two nodes meet an empty database at the same moment. */
class StartTogetherTest {

    private static final String SCHEMA = "start_together";

    private final PostgresServer postgres = PostgresServer.shared();

    private final Map<String, Object> database = Map.of(
            "datasources.default.url", postgres.url() + "?currentSchema=" + SCHEMA + "&ApplicationName=" + SCHEMA,
            "datasources.default.username", postgres.user(),
            "datasources.default.password", postgres.password());

    @Test
    void aNodeThatLosesTheRaceForATableStarts() throws Exception {
        try (Connection watching = connect();
                Connection other = connect();
                Statement statement = other.createStatement()) {
            statement.execute("create schema " + SCHEMA);
            other.setAutoCommit(false);
            statement.execute("create table " + SCHEMA + ".payment (id varchar(64) primary key)");

            CompletableFuture<ApplicationContext> node =
                    CompletableFuture.supplyAsync(() -> ApplicationContext.run(database, "test"));
            await().atMost(Duration.ofSeconds(60)).until(() -> node.isDone() || waits(watching));
            other.commit();
            try (ApplicationContext started = node.join()) {
                assertThat(started.isRunning()).isTrue();
            }
            statement.execute("drop schema " + SCHEMA + " cascade");
            other.commit();
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(postgres.url(), postgres.user(), postgres.password());
    }

    private static boolean waits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity "
                        + "where wait_event_type = 'Lock' and application_name = '" + SCHEMA + "'")) {
            rows.next();
            return rows.getInt(1) > 0;
        }
    }
}
