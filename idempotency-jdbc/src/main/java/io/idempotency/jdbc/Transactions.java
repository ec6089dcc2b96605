package io.idempotency.jdbc;

import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionCallback;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;

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
}
