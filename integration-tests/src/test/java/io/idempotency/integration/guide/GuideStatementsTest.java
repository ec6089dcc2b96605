package io.idempotency.integration.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.test.guide.GuideBlock;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the guide shows as SQL runs on PostgreSQL, and does what its page says. */
@Tag("any-jdk")
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Property(name = "test.guide.statements", value = "true")
class GuideStatementsTest implements TestPropertyProvider {

    /** In place of the extension, which no server of the tests has: runs at once what it is given. */
    private static final String PG_CRON = """
            CREATE SCHEMA cron;
            CREATE FUNCTION cron.schedule(name text, times text, command text) RETURNS void LANGUAGE plpgsql
            AS 'BEGIN EXECUTE command; END'""";

    @Singleton
    @Requires(property = "test.guide.statements")
    static class Shop {

        final AtomicInteger orders = new AtomicInteger();

        @IdempotentOperation(value = "guide-order", key = "key")
        int order(String key) {
            return orders.incrementAndGet();
        }
    }

    private final PostgresServer server = PostgresServer.shared();

    @Inject
    Shop shop;

    /** The pages say idempotency_record, and so may other tests on this server: so a schema of its own. */
    private String url() {
        return server.url() + "?currentSchema=guide";
    }

    @Override
    public Map<String, String> getProperties() {
        try {
            ask("CREATE SCHEMA guide");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return Map.of(
                "datasources.default.url", url(),
                "datasources.default.username", server.user(),
                "datasources.default.password", server.password(),
                "idempotency.store", "jdbc",
                "idempotency.purge.enabled", "false");
    }

    /** The block that contains a word; each of the blocks is asked for here. */
    private static String block(String word) {
        List<GuideBlock> blocks = GuideBlock.all("sql");
        assertThat(blocks).hasSize(1);
        return blocks.stream()
                .map(GuideBlock::code)
                .filter(code -> code.contains(word))
                .findFirst()
                .orElseThrow();
    }

    private String ask(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            if (!statement.execute(query)) {
                return Integer.toString(statement.getUpdateCount());
            }
            ResultSet rows = statement.getResultSet();
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Test
    void thePurgeOfTheDatabaseRemovesWhatIsOver() throws SQLException {
        shop.order("kept");
        String kept = ask("SELECT id FROM idempotency_record");
        shop.order("over");
        ask("UPDATE idempotency_record SET expires_at_ms = 1, fence = 1 WHERE id <> '" + kept + "'");
        ask(PG_CRON);

        ask(block("cron.schedule"));

        assertThat(ask("SELECT string_agg(id, ',') FROM idempotency_record")).isEqualTo(kept);
        ask("DELETE FROM idempotency_record");
    }
}
