package io.idempotency.jdbc;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.ConnectionStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Proves at start-up that the store's pool and the application's data source reach the same table. A transactional operation claims
 * on the application's connections, so with two tables one key would have two owners.
 *
 * @param name of the data source
 * @param dialect of its database
 * @param made whether there is a table; otherwise it may be made later
 */
record PoolCheck(String name, Dialect dialect, boolean made) {

    private static final Duration PROBE = Duration.ofMinutes(1);

    /**
     * Lends the application's connections, to look at the table.
     *
     * @param datasource the application's
     * @param callers knows which connection the calling thread holds, which may be the only one
     * @param limit how long a statement takes
     */
    record Applications(DataSource datasource, ConnectionOperations<Connection> callers, CommandTimeout limit)
            implements ConnectionSource {

        @Override
        public <T> T lend(Work<T> work) throws SQLException {
            Optional<Connection> held = callers.findConnectionStatus().map(ConnectionStatus::getConnection);
            if (held.isPresent()) {
                return limit.on(held.get(), work);
            }
            try (Connection connection = datasource.getConnection()) {
                return limit.on(connection, work);
            }
        }
    }

    /**
     * Writes a record through the store's pool and looks for it through the application's data source.
     *
     * @param own lends the store's connections
     * @param applications lends the application's
     * @param tables the records as they are reached through connections
     * @throws ConfigurationException where it is not there
     */
    void prove(ConnectionSource own, ConnectionSource applications, Function<ConnectionSource, RecordTable> tables) {
        RecordTable here = tables.apply(own);
        RecordTable there = tables.apply(applications);
        String value = UUID.randomUUID().toString();
        RecordId id = RecordId.of("idempotency-probe", null, null, value);
        Claim probe = new Claim(id, "idempotency-probe", "probe", value, PROBE, PROBE, false);
        Ownership written = written(here, probe);
        try {
            compare(written != null, there, id);
        } finally {
            if (written != null) {
                here.remove(written);
            }
        }
    }

    /** Null where there is no table. */
    private @Nullable Ownership written(RecordTable here, Claim probe) {
        try {
            long fence = ((ClaimResult.Acquired) here.claim(probe, false)).fence();
            return new Ownership(probe.id(), probe.owner(), fence);
        } catch (JdbcStoreException e) {
            requireMissing(e);
            if (made) {
                throw anotherTable(); // the next connection had another database
            }
            return null;
        }
    }

    private void compare(boolean written, RecordTable there, RecordId id) {
        try {
            if (there.find(id) == null) {
                throw anotherTable();
            }
        } catch (JdbcStoreException e) {
            requireMissing(e);
            if (written) {
                throw anotherTable();
            }
        }
    }

    private void requireMissing(JdbcStoreException e) {
        if (!(e.getCause() instanceof SQLException cause && dialect.noTable(cause))) {
            throw e;
        }
    }

    private ConfigurationException anotherTable() {
        return new ConfigurationException(
                "The JDBC idempotency store has a pool of its own, made from the configuration of"
                        + " the data source '" + name
                        + "', and it reaches another table than the data source does: a record that"
                        + " was written on one was not found on the other, so that one key could be claimed twice. The"
                        + " application does not start. Put whatever selects the database and schema (schema, catalog,"
                        + " connection-init-sql, driver properties) into datasources." + name
                        + ".url, or name the schema in"
                        + " idempotency.jdbc.table, or give the store a data source of its own with"
                        + " idempotency.jdbc.datasource.");
    }
}
