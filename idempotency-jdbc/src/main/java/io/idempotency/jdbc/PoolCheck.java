package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Proves at start-up that the store's pool and the application's data source reach the same table. A transactional operation claims
 * on the application's connections, so with two tables one key would have two owners.
 *
 * @param name of the data source
 * @param here the records as the store's pool reaches them
 * @param there as the application's data source does
 * @param made whether there is a table; otherwise it may be made later
 */
record PoolCheck(String name, RecordTable here, RecordTable there, boolean made) {

    private static final Duration PROBE = Duration.ofMinutes(1);

    /**
     * Writes a record through the store's pool and looks for it through the application's data source.
     *
     * @throws ConfigurationException where it is not there
     */
    void prove() {
        String value = UUID.randomUUID().toString();
        RecordId id = RecordId.of("idempotency-probe", null, null, value);
        Ownership written = written(new Claim(id, "idempotency-probe", "probe", value, PROBE, PROBE, false));
        try {
            if (there.find(id) == null) {
                throw anotherTable();
            }
        } catch (JdbcStoreException e) {
            requireMissing(e, written != null);
        } finally {
            if (written != null) {
                here.remove(written);
            }
        }
    }

    /** Null where there is no table. */
    private @Nullable Ownership written(Claim probe) {
        try {
            long fence = ((ClaimResult.Acquired) here.claim(probe, false)).fence();
            return new Ownership(probe.id(), probe.owner(), fence);
        } catch (JdbcStoreException e) {
            requireMissing(e, made); // the next connection had another database
            return null;
        }
    }

    /** Goes on where the table is missing on both sides. */
    private void requireMissing(JdbcStoreException e, boolean isElsewhere) {
        if (!e.is(Trouble.NO_TABLE, here.dialect())) {
            throw e;
        }
        if (isElsewhere) {
            throw anotherTable();
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
