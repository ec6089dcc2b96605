package io.idempotency.jdbc.connection;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionCallback;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The transactions of a data source, given by its name. The transaction manager is looked up for each transaction. */
public record Transactions(String dataSource, BeanContext context) {

    /** Joins the caller's transaction, or opens and commits one. Rolls back and rethrows what the work throws. */
    public <T> T run(TransactionCallback<Connection, T> work) {
        return context.findBean(
                        Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName(dataSource))
                .map(found -> (TransactionOperations<Connection>) found)
                .orElseThrow(() -> new ConfigurationException("The data source '" + dataSource
                        + "' has no transaction manager, which transactional = true needs. The body did not run. Add"
                        + " micronaut-data-tx-jdbc (part of micronaut-data-jdbc)."))
                .execute(TransactionDefinition.DEFAULT, work);
    }

    /**
     * The connection of a running transaction. A claim waits for another transaction's claim of the key, with a lock
     * time-out that does not apply to the body's own statements.
     */
    record Joined(Connection connection, Dialect dialect, Duration waitOfClaim, CommandTimeout limit)
            implements ConnectionSource {

        @Override
        public <T> T lend(Work<T> work) throws SQLException {
            return limit.on(connection, work);
        }

        @Override
        public <T> T lendForClaim(Work<T> work) throws SQLException {
            return limit.plus(waitOfClaim).on(connection, same -> waiting(work));
        }

        private <T> T waiting(Work<T> work) throws SQLException {
            String before = lockWait();
            // zero would wait for ever in some databases
            long unitMs = Long.parseLong(dialect.text("lock_wait_unit_ms"));
            setLockWait(Long.toString(Math.max(1, waitOfClaim.toMillis() / unitMs)));
            T answer;
            try {
                answer = work.on(connection);
            } catch (SQLException e) {
                try {
                    setLockWait(before);
                } catch (SQLException refused) { // the transaction was aborted, and its settings with it
                    e.addSuppressed(refused);
                }
                if (dialect.is(Trouble.LOCKED, e) || dialect.is(Trouble.ROLLED_BACK, e)) {
                    throw new KeyLockedException(e);
                }
                throw e;
            }
            setLockWait(before);
            return answer;
        }

        private String lockWait() throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(dialect.text("lock_wait"))) {
                row.next();
                return row.getString(1);
            }
        }

        private void setLockWait(String value) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(dialect.text("set_lock_wait").formatted(value));
            }
        }
    }
}
