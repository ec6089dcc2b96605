package io.idempotency.integration.killed;

import io.idempotency.IdempotencyContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A table of its own, which refuses no second effect of a key: it is to be seen. */
@Singleton
@Requires(property = KilledNode.PROPERTY)
class Effects {

    private static final String DUPLICATE = "23";

    private final DataSource ledger;

    Effects(@Named("ledger") DataSource ledger) {
        this.ledger = DelegatingDataSource.unwrapDataSource(ledger);
    }

    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effect (run VARCHAR(64) PRIMARY KEY, paid_key VARCHAR(64),"
                    + " paid_call VARCHAR(64), fence BIGINT, started_at_ms BIGINT)");
        }
    }

    static Effect now(String key, String call) {
        return new Effect(
                UUID.randomUUID().toString(),
                key,
                call,
                IdempotencyContext.current().fence(),
                System.currentTimeMillis());
    }

    /** It is written for certain, however often the server is away: what is not known here would prove nothing. */
    void write(Effect effect) {
        boolean interrupted = false;
        while (!written(effect)) {
            interrupted |= Thread.interrupted();
            pause(100);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean written(Effect effect) {
        try (Connection connection = ledger.getConnection()) {
            write(connection, effect);
            return true;
        } catch (SQLException e) {
            return String.valueOf(e.getSQLState()).startsWith(DUPLICATE); // an answer was lost
        }
    }

    static void write(Connection connection, Effect effect) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, effect.run());
            insert.setString(2, effect.key());
            insert.setString(3, effect.call());
            insert.setLong(4, effect.fence());
            insert.setLong(5, effect.startedAtMs());
            insert.executeUpdate();
        }
    }

    static List<Effect> read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM effect")) {
            List<Effect> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(new Effect(
                        rows.getString(1), rows.getString(2), rows.getString(3), rows.getLong(4), rows.getLong(5)));
            }
            return effects;
        }
    }

    /** Not exactly so long. */
    static void pause(long atMostMillis) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(atMostMillis)));
    }
}
