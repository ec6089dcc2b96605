package io.idempotency.integration.campaign;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.integration.campaign.Event.Effect;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
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

/** An operation whose effect is in the store's own database, in one transaction with its record. */
@Singleton
@Requires(property = Bookings.PROPERTY)
class Bookings {

    static final String PROPERTY = "campaign.bookings";

    private final TransactionOperations<Connection> transactions;

    Bookings(@Named("default") TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    @IdempotentOperation(value = "campaign-book", key = "key", lease = "3s", transactional = true)
    String book(String key, String payload, @NotFingerprinted String call) {
        Effect effect = new Effect(
                UUID.randomUUID().toString(),
                call,
                key,
                payload,
                IdempotencyContext.current().fence(),
                System.currentTimeMillis());
        transactions.execute(TransactionDefinition.DEFAULT, status -> {
            write(status.getConnection(), effect);
            return null;
        });
        return effect.run();
    }

    /** Does something in a transaction of its caller, of which one in three is rolled back. False where it was, or may have been. */
    boolean around(Runnable work) {
        boolean rollsBack = ThreadLocalRandom.current().nextInt(3) == 0;
        try {
            transactions.execute(TransactionDefinition.DEFAULT, status -> {
                if (rollsBack) {
                    status.setRollbackOnly();
                }
                work.run();
                return null;
            });
            return !rollsBack;
        } catch (RuntimeException e) {
            return false; // it could not begin, or its end is not known
        }
    }

    /** The table accepts a second booking of a key: it is to be seen. */
    static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE booking (run VARCHAR(64) PRIMARY KEY, of_call VARCHAR(64), of_key VARCHAR(64),"
                            + " payload VARCHAR(64), fence BIGINT, at_ms BIGINT)");
        }
    }

    private static void write(Connection connection, Effect effect) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO booking VALUES (?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, effect.run());
            insert.setString(2, effect.call());
            insert.setString(3, effect.key());
            insert.setString(4, effect.payload());
            insert.setLong(5, effect.fence());
            insert.setLong(6, effect.atMs());
            insert.executeUpdate();
        }
    }

    /** The bookings that were committed, by their fences. */
    static List<Effect> read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM booking ORDER BY fence")) {
            List<Effect> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(new Effect(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getLong(5),
                        rows.getLong(6)));
            }
            return effects;
        }
    }
}
