package io.idempotency.jdbc;

import io.idempotency.jdbc.JdbcStoreConfiguration.SchemaMode;
import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.ConnectionSource;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.SettledNotifications;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.ConnectionStatus;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Starts the store, and holds its parts. */
record JdbcStoreStart(
        RecordTable table,
        Durability durability,
        SettledNotifications notifications,
        OwnConnections own,
        @Nullable H2Guard guard) {

    private static final Duration PROBE = Duration.ofMinutes(1);

    /** Connects to the database, so that its problems are reported at start-up and not at the first call. */
    static JdbcStoreStart of(JdbcStoreConfiguration configuration, ApplicationContext context) {
        String name = configuration.getDatasource();
        TableName table = new TableName(configuration.getTable());
        CommandTimeout limit = new CommandTimeout(configuration.getCommandTimeout());
        ConnectionOperations<?> callers =
                bean(Argument.of(ConnectionOperations.class, Connection.class), name, context);
        DataSource applications =
                DelegatingDataSource.unwrapDataSource(bean(Argument.of(DataSource.class), name, context));
        BasicJdbcConfiguration basics = context.findBean(BasicJdbcConfiguration.class, Qualifiers.byName(name))
                .orElse(null);
        OwnConnections own = new OwnConnections(name, applications, basics, limit, configuration.getPoolSize());
        try {
            Dialect dialect = own.lendAtStart(
                    connection -> Dialect.of(connection.getMetaData().getDatabaseProductName()));
            Statements sql = new Statements(dialect, table, configuration.isNotifications() && own.pooled());
            Durability durability = new Durability(configuration, sql);
            SchemaMode mode = configuration.getSchema().orElseGet(() -> byDefault(context.getEnvironment()));
            own.lendAtStart(connection -> {
                Schema schema = new Schema(dialect, table);
                if (mode == SchemaMode.CREATE) {
                    schema.upgrade(connection);
                }
                if (mode != SchemaMode.NONE) {
                    schema.validate(connection, sql);
                }
                return mode;
            });
            H2Guard guard = dialect == Dialect.H2 ? H2Guard.open(name, own) : null;
            own.lendAtStart(connection -> durability.start(connection, guard != null && guard.durable()));
            ClockWatch clock = new ClockWatch(name, configuration.getClockJumpLimit(), System::nanoTime);
            ReplayRatio replays = new ReplayRatio(Integer.parseInt(dialect.text("look_first_from")));
            Function<ConnectionSource, RecordTable> atStart = source -> new RecordTable(
                    new StatementRunner(source, sql, limit.starting(), durability::require, false), clock, replays);
            ConnectionSource starting = own::lendAtStart;
            RecordTable here = atStart.apply(starting);
            clock.start(here.database());
            if (own.pooled()) {
                ConnectionSource theirs = applications(applications, callers, limit.starting());
                proveSameTable(name, here, atStart.apply(theirs), mode != SchemaMode.NONE);
            }
            return new JdbcStoreStart(
                    new RecordTable(new StatementRunner(own, sql, limit, durability::require, false), clock, replays),
                    durability,
                    new SettledNotifications(sql.tells() ? own : null, own, table.channel(), SettledNotifications.IDLE),
                    own,
                    guard);
        } catch (ConfigurationException e) {
            own.close();
            throw e;
        } catch (SQLException | RuntimeException e) {
            own.close();
            throw unusable(name, e);
        }
    }

    /** Lends the application's connection that the calling thread holds, perhaps its only one, or else a new one. */
    private static ConnectionSource applications(
            DataSource datasource, ConnectionOperations<?> callers, CommandTimeout limit) {
        return new ConnectionSource() {
            @Override
            public <T> T lend(Work<T> work) throws SQLException {
                Optional<?> held = callers.findConnectionStatus().map(ConnectionStatus::getConnection);
                if (held.isPresent()) {
                    return limit.on((Connection) held.get(), work);
                }
                try (Connection connection = datasource.getConnection()) {
                    return limit.on(connection, work);
                }
            }
        };
    }

    /**
     * Proves that the store's pool (here) and the application's data source (there) reach the same table: with two
     * tables, a transactional operation's key could have two owners. A missing table is accepted unless {@code made}.
     */
    private static void proveSameTable(String name, RecordTable here, RecordTable there, boolean made) {
        String value = UUID.randomUUID().toString();
        RecordId id = RecordId.of("idempotency-probe", null, null, value);
        Claim probe = new Claim(id, "idempotency-probe", "probe", value, PROBE, PROBE, false);
        Ownership written = null;
        try {
            if (here.claim(probe, false) instanceof ClaimResult.Acquired acquired) {
                written = new Ownership(id, value, acquired.fence());
            }
        } catch (JdbcStoreException e) {
            requireMissing(name, e, made); // the next connection had another database
        }
        try {
            if (there.find(id) == null) {
                throw anotherTable(name);
            }
        } catch (JdbcStoreException e) {
            requireMissing(name, e, written != null);
        } finally {
            if (written != null) {
                here.remove(written);
            }
        }
    }

    /** Accepts that a side has no table, unless the other one has. */
    private static void requireMissing(String name, JdbcStoreException e, boolean isElsewhere) {
        if (!e.is(Trouble.NO_TABLE)) {
            throw e;
        }
        if (isElsewhere) {
            throw anotherTable(name);
        }
    }

    private static ConfigurationException anotherTable(String name) {
        return new ConfigurationException(
                "The JDBC idempotency store's own pool reaches another table than the data source"
                        + " '" + name
                        + "', from whose configuration it is made, so that one key could be claimed twice. The"
                        + " application does not start. Put whatever selects the database and schema into datasources."
                        + name
                        + ".url, or name the schema in idempotency.jdbc.table, or give the store a data source of its own with"
                        + " idempotency.jdbc.datasource.");
    }

    private static SchemaMode byDefault(Environment environment) {
        Set<String> active = environment.getActiveNames();
        boolean ownMachine = active.contains(Environment.TEST) || active.contains(Environment.DEVELOPMENT);
        return ownMachine ? SchemaMode.CREATE : SchemaMode.VALIDATE;
    }

    private static <T> T bean(Argument<T> type, String name, ApplicationContext context) {
        try {
            return context.findBean(type, Qualifiers.byName(name))
                    .orElseThrow(
                            () -> new ConfigurationException("The JDBC idempotency store has no data source '" + name
                                    + "'. Set datasources." + name + ".url, with a connection pool on the class path"
                                    + " (io.micronaut.sql:micronaut-jdbc-hikari), or name another data source in"
                                    + " idempotency.jdbc.datasource."));
        } catch (BeanContextException e) {
            throw unusable(name, e);
        }
    }

    private static ConfigurationException unusable(String name, Exception cause) {
        return new ConfigurationException(
                "The JDBC idempotency store cannot use the database of datasources." + name
                        + ".url: " + cause.getMessage()
                        + " (the data source is chosen by idempotency.jdbc.datasource)",
                cause);
    }
}
