package io.idempotency.jdbc;

import io.idempotency.jdbc.JdbcStoreConfiguration.SchemaMode;
import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.OverdueStatements;
import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.SettledNotifications;
import io.idempotency.jdbc.connection.StatementGroups;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.group.ReplayCount;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import io.micronaut.transaction.TransactionCallback;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Starts the store, and holds its parts. */
final class JdbcStoreStart {

    private static final Duration PROBE = Duration.ofMinutes(1);

    private static final Argument<TransactionOperations> TRANSACTIONS =
            Argument.of(TransactionOperations.class, Connection.class);

    private final ApplicationContext context;
    final String datasource;
    final OwnConnections own;
    final @Nullable H2Guard guard;
    final Durability durability;
    final RecordTable table;
    final @Nullable SettledNotifications notifications;
    final @Nullable PromotionWatch timeline;

    /** Whether a body's transaction can hold its record; not where each tenant's body has another database. */
    final boolean shared;

    /** Whether the application's pool lends connections that commit nothing by themselves. */
    private final boolean manual;

    /** Where connections do not tell, those of the transactions that operations are in. */
    private final Set<Object> joined = ConcurrentHashMap.newKeySet();

    /** Whether the claim of a transaction locks the row of a recorded outcome, which another connection can read. */
    private final boolean locksReplays;

    /** Connects to the database, so that its problems are reported at start-up and not at the first call. */
    JdbcStoreStart(
            JdbcStoreConfiguration configuration, ApplicationContext context, Consumer<RecordsMayBeMissing> alarm) {
        this.context = context;
        this.datasource = configuration.getDatasource();
        TableName name = new TableName(configuration.getTable());
        CommandTimeout limit = new CommandTimeout(configuration.getCommandTimeout());
        CommandTimeout starting = limit.starting();
        this.own = pool(limit, configuration.getPoolSize());
        try {
            Dialect dialect = own.lend(starting, this::dialect);
            Statements sql = new Statements(dialect, name, configuration.isNotifications() && own.pooled());
            SchemaMode mode = configuration.getSchema().orElseGet(this::byDefault);
            own.lend(starting, connection -> {
                Schema schema = new Schema(dialect, name);
                if (mode == SchemaMode.CREATE) {
                    schema.upgrade(connection);
                }
                if (mode != SchemaMode.NONE) {
                    schema.validate(connection, sql);
                }
                return mode;
            });
            this.guard = dialect == Dialect.H2 ? H2Guard.open(datasource, own, starting) : null;
            this.durability = new Durability(configuration, sql);
            own.lend(starting, connection -> durability.start(connection, guard != null && guard.durable()));
            ClockWatch clock = new ClockWatch(datasource, configuration.getClockJumpLimit(), System::nanoTime);
            ReplayCount replays = new ReplayCount();
            OverdueStatements overdue = new OverdueStatements();
            StatementRunner first = new StatementRunner(own, sql, starting, durability, overdue, null, null);
            boolean there = clock.start(first);
            boolean transactions = context.containsBean(TRANSACTIONS, Qualifiers.byName(datasource));
            this.manual = transactions && OwnConnections.lendsManual(applications());
            String tenants = context.getProperty("micronaut.data.multi-tenancy.mode", String.class)
                    .orElse("");
            // a repository's call changes the schema of a connection, and so the table that has no other name
            boolean moves = tenants.equalsIgnoreCase("SCHEMA") && name.schema().isEmpty();
            this.shared = transactions && !moves && !tenants.equalsIgnoreCase("DATASOURCE");
            this.locksReplays = own.pooled() && (dialect == Dialect.MARIADB || dialect == Dialect.MYSQL);
            if (own.pooled() && transactions) {
                proveSameTable(new RecordTable(first, clock, replays), mode != SchemaMode.NONE);
            }
            StatementGroups groups = new StatementGroups(configuration.getPoolSize());
            StatementRunner database = new StatementRunner(own, sql, limit, durability, overdue, groups, null);
            this.table = new RecordTable(database, clock, replays);
            this.notifications = sql.quiet() == null
                    ? null
                    : new SettledNotifications(own, own, limit, name.channel(), SettledNotifications.IDLE);
            this.timeline = sql.has(Verb.TIMELINE) ? new PromotionWatch(table, durability, alarm) : null;
            if (there) {
                keepTime();
            }
        } catch (SQLException | RuntimeException e) {
            own.close();
            throw e instanceof ConfigurationException known ? known : unusable(e);
        }
    }

    private OwnConnections pool(CommandTimeout limit, int size) {
        try {
            DataSource applications = applications();
            BasicJdbcConfiguration basics = context.findBean(
                            BasicJdbcConfiguration.class, Qualifiers.byName(datasource))
                    .orElse(null);
            return new OwnConnections(datasource, applications, basics, limit, size);
        } catch (BeanContextException e) {
            throw unusable(e);
        }
    }

    private Dialect dialect(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection.getMetaData().getDatabaseProductName());
        if (dialect != Dialect.POSTGRESQL
                && connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            throw new ConfigurationException("The JDBC idempotency store would see outcomes that are rolled back later:"
                    + " the server's isolation level is READ UNCOMMITTED. The application does not start. Set datasources."
                    + datasource + ".transaction-isolation: TRANSACTION_READ_COMMITTED.");
        }
        return dialect;
    }

    private DataSource applications() {
        return DelegatingDataSource.unwrapDataSource(context.findBean(DataSource.class, Qualifiers.byName(datasource))
                .orElseThrow(() -> new ConfigurationException("The JDBC idempotency store has no data source '"
                        + datasource + "'. Set datasources." + datasource
                        + ".url, with a connection pool on the class path"
                        + " (io.micronaut.sql:micronaut-jdbc-hikari), or name another data source in"
                        + " idempotency.jdbc.datasource.")));
    }

    /** Keeps the time for the next start; not before a promotion is accepted, because its report begins there. */
    void keepTime() {
        if (timeline == null || timeline.isAccepted()) {
            table.clock().keepTime(table.database());
        }
    }

    /** Returns the answer to a transaction's claim that would only lock the row of a recorded outcome; else empty. */
    Optional<ClaimResult> recorded(Claim claim) {
        try {
            return Optional.ofNullable(locksReplays ? table.find(claim.id()) : null)
                    .filter(StoredRecord::hasOutcome)
                    .map(there -> ClaimResult.of(claim, there));
        } catch (JdbcStoreException e) {
            return Optional.empty(); // the claim itself says what is the matter
        }
    }

    /** Refuses a transaction around the call of which it cannot be told whether it is one, before the call is claimed. */
    void requireTransaction() {
        if (manual
                && transactions()
                        .findTransactionStatus()
                        .filter(outer -> !outer.isNewTransaction() && !joined.contains(outer.getConnection()))
                        .isPresent()) {
            throw new ClaimsRefusedException(
                    "The body did not run: with datasources." + datasource
                            + ".auto-commit: false it cannot be told whether the"
                            + " inner @Transactional around the call has a transaction. Set auto-commit to true, or leave only"
                            + " the outermost @Transactional.",
                    null);
        }
    }

    /** Joins the caller's transaction, or opens and commits one. Rolls back and rethrows what the work throws. */
    <T> T inTransaction(TransactionCallback<Connection, T> work) {
        return transactions().execute(TransactionDefinition.DEFAULT, status -> {
            boolean first = manual && joined.add(status.getConnection());
            try {
                return work.call(status);
            } finally {
                if (first) {
                    joined.remove(status.getConnection());
                }
            }
        });
    }

    @SuppressWarnings("unchecked")
    private TransactionOperations<Connection> transactions() {
        return context.getBean(TRANSACTIONS, Qualifiers.byName(datasource));
    }

    /**
     * Proves that the store's pool and the application's transactions reach the same table: with two tables, a
     * transactional operation's key could have two owners. A missing table is accepted unless {@code made}.
     */
    private void proveSameTable(RecordTable here, boolean made) {
        String owner = UUID.randomUUID().toString();
        RecordId id = RecordId.of("idempotency-probe", null, null, owner);
        Claim probe = new Claim(id, "idempotency-probe", "probe", owner, PROBE, PROBE, false);
        Ownership held;
        try {
            held = new Ownership(id, owner, ((ClaimResult.Acquired) here.claim(probe, false)).fence());
        } catch (JdbcStoreException e) {
            if (e.is(Trouble.NO_TABLE) && !made) {
                return;
            }
            throw e.is(Trouble.NO_TABLE) ? anotherTable() : e; // the next connection had another database
        }
        try {
            if (!inTransaction(status -> finds(here.in(status.getConnection(), Duration.ZERO), id))) {
                throw anotherTable();
            }
        } finally {
            // with its fence, because the key is never claimed again
            here.database().update(Verb.REMOVE, StatementValues.of(held));
        }
    }

    /** Throws nothing for a missing table, so that a transaction of the caller's goes on. */
    private static boolean finds(RecordTable there, RecordId id) {
        try {
            return there.find(id) != null;
        } catch (JdbcStoreException e) {
            if (e.is(Trouble.NO_TABLE)) {
                return false;
            }
            throw e;
        }
    }

    private ConfigurationException anotherTable() {
        return new ConfigurationException(
                "The JDBC idempotency store's own pool reaches another table than the data source '" + datasource
                        + "', from whose configuration it is made, so that one key could be claimed twice. The"
                        + " application does not start. Put whatever selects the database and schema into datasources."
                        + datasource
                        + ".url, or name the schema in idempotency.jdbc.table, or give the store a data source of its own with"
                        + " idempotency.jdbc.datasource.");
    }

    private SchemaMode byDefault() {
        Set<String> active = context.getEnvironment().getActiveNames();
        boolean ownMachine = active.contains(Environment.TEST) || active.contains(Environment.DEVELOPMENT);
        return ownMachine ? SchemaMode.CREATE : SchemaMode.VALIDATE;
    }

    private ConfigurationException unusable(Exception cause) {
        return new ConfigurationException(
                "The JDBC idempotency store cannot use the database of datasources." + datasource
                        + ".url: " + cause.getMessage()
                        + " (the data source is chosen by idempotency.jdbc.datasource)",
                cause);
    }
}
