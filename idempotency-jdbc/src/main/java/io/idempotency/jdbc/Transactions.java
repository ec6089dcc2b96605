package io.idempotency.jdbc;

import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionCallback;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The transactions of the store's data source, looked up when the first transactional operation runs.
 *
 * @param dataSource its name
 * @param context holds its transaction manager
 */
record Transactions(String dataSource, BeanContext context) {

    /** Joins the caller's transaction or opens and commits one; what the work throws rolls back and is thrown on. */
    <T> T run(TransactionCallback<Connection, T> work) {
        return operations().execute(TransactionDefinition.DEFAULT, work);
    }

    private TransactionOperations<Connection> operations() {
        return context.findBean(
                        Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName(dataSource))
                .orElseThrow(() -> new ConfigurationException("The data source '" + dataSource
                        + "' has no transaction manager, which transactional = true needs. The body did not run. Add"
                        + " micronaut-data-tx-jdbc (part of micronaut-data-jdbc)."));
    }

    /**
     * The connection of a running transaction. A claim there waits for another transaction's claim of the same key, within
     * a limit that holds for the claim only and not for the body's own statements.
     *
     * @param connection the transaction's
     * @param dialect of its database
     * @param waitOfClaim how long a claim waits for the other transaction
     * @param limit how long a statement may take beside that
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
            Dialect.LockWait setting = dialect.lockWait(waitOfClaim);
            String before = setting.read(connection);
            setting.write(connection, Long.toString(setting.limit()));
            T answer;
            try {
                answer = work.on(connection);
            } catch (SQLException e) {
                restore(setting, before, e);
                if (dialect.locked(e) || dialect.rolledBack(e)) {
                    throw new KeyLockedException(e);
                }
                throw e;
            }
            setting.write(connection, before);
            return answer;
        }

        /** A database that has given the transaction up refuses this, and forgets the setting with it. */
        private void restore(Dialect.LockWait setting, String before, SQLException failure) {
            try {
                setting.write(connection, before);
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
