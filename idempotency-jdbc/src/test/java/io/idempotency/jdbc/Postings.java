package io.idempotency.jdbc;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A service whose bodies use transactions in every way. */
@Singleton
@Requires(property = "test.postings")
class Postings {

    /** What a body does after it has written. */
    enum Inside {
        RETURNS,
        /** It marks the transaction that it is in, and returns. */
        ROLLBACK_ONLY,
        /** It marks the transaction that its operation made. */
        ROLLBACK_ONLY_OF_ITS_OPERATION,
        /** It marks that transaction, and says so. */
        ROLLBACK_ONLY_WITHOUT_EFFECT,
        /** It writes once more in a transaction of its own, and fails. */
        WRITES_APART_AND_FAILS
    }

    static final TransactionDefinition APART = TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW);

    final AtomicInteger bodies = new AtomicInteger();
    private final TransactionOperations<Connection> transactions;

    Postings(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    @IdempotentOperation(value = "post-together", key = "entry", transactional = true)
    public int together(String entry, Inside inside) {
        return post(entry, inside);
    }

    @IdempotentOperation(value = "post-by-itself", key = "entry")
    public int byItself(String entry, Inside inside) {
        return post(entry, inside);
    }

    private int post(String entry, Inside inside) {
        int number = bodies.incrementAndGet();
        transactions.execute(TransactionDefinition.DEFAULT, status -> {
            write(status.getConnection(), entry);
            if (inside == Inside.ROLLBACK_ONLY) {
                status.setRollbackOnly();
            }
            return null;
        });
        if (inside == Inside.ROLLBACK_ONLY_WITHOUT_EFFECT) {
            IdempotencyContext.current().noEffect();
        }
        if (inside == Inside.ROLLBACK_ONLY_OF_ITS_OPERATION || inside == Inside.ROLLBACK_ONLY_WITHOUT_EFFECT) {
            transactions.findTransactionStatus().orElseThrow().setRollbackOnly();
        }
        if (inside == Inside.WRITES_APART_AND_FAILS) {
            transactions.execute(APART, status -> write(status.getConnection(), entry));
            throw new IllegalStateException("after the write of its own");
        }
        return number;
    }

    private static int write(Connection connection, String entry) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO ledger (entry, amount) VALUES (?, 1)")) {
            insert.setString(1, entry);
            return insert.executeUpdate();
        }
    }
}
