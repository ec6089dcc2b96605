package io.idempotency.jdbc;

import io.idempotency.runtime.Within;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.Optional;

/** Where the JDBC store keeps its records. */
@ConfigurationProperties("idempotency.jdbc")
public interface JdbcStoreConfiguration {

    /** The data source, as it is named under {@code datasources}. */
    @Bindable(defaultValue = "default")
    String getDatasource();

    /**
     * How many connections the store's own pool has at most, for each node. It is made from the configuration of the data source, and
     * one more connection is held while callers wait on PostgreSQL, and to keep a file of H2 open.
     */
    @Bindable(defaultValue = "4")
    @Within(min = "1")
    int getPoolSize();

    /** The table, with its schema in front where it is not the data source's own. */
    @Bindable(defaultValue = "idempotency_record")
    String getTable();

    /**
     * What to do about the table at start-up.
     *
     * @return empty for {@code create} in the environments {@code test} and {@code dev}, and {@code validate} elsewhere
     */
    Optional<SchemaMode> getSchema();

    /**
     * Whether callers that wait for a duplicate of another node listen to PostgreSQL's notifications, on one more
     * connection. Without them, and on other databases, they poll.
     */
    @Bindable(defaultValue = "true")
    boolean isNotifications();

    /**
     * How long a caller waits for its place among the statements that are sent for many, then for a connection, and then for the answer
     * to a statement. Afterwards it is told that the store did not answer, and nothing is sent for it any more.
     */
    @Bindable(defaultValue = "2s")
    @Within(min = "1ms")
    Duration getCommandTimeout();

    /**
     * How much of the records must survive the failure of a server. The application does not start on less, and claims
     * nothing on less.
     *
     * @return empty to take what is there, with a warning when that is little; {@code none} to take it without one
     */
    Optional<JdbcDurability> getRequiredDurability();

    /**
     * How old a server's answer may be, where a durability is required. A connection that was never asked is asked
     * before its first claim.
     */
    @Bindable(defaultValue = "30s")
    Duration getDurabilityCheckInterval();

    /**
     * How far the database's clock may be from where this JVM's monotonic clock expects it. Beyond that nothing is claimed:
     * a clock that jumps ahead forgets keys and ends leases.
     */
    @Bindable(defaultValue = "5m")
    @Within(min = "1ms")
    Duration getClockJumpLimit();

    /** What the store does about its table when it starts ({@code idempotency.jdbc.schema}). */
    enum SchemaMode {
        /** Refuse to start when the table is missing or does not fit, and print the statements that make it. */
        VALIDATE,
        /** Make the table where it is missing, then validate. Safe on several nodes at once. */
        CREATE,
        /** Look at nothing: the first call fails where the table is missing. */
        NONE
    }
}
