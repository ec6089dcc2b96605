package io.idempotency.jdbc;

import io.idempotency.jdbc.JdbcStoreConfiguration.SchemaMode;
import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.ConnectionSource;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.PostgresNotifications;
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

/**
 * What the store's start makes.
 *
 * @param table where the records are
 * @param durability what the server keeps, against what is asked of it
 * @param notifications tell waiting callers
 * @param own the store's connections
 * @param guard of a file of H2; null without
 */
record JdbcStoreStart(
        RecordTable table,
        Durability durability,
        SettledNotifications notifications,
        OwnConnections own,
        @Nullable H2Guard guard) {

    private static final Duration PROBE = Duration.ofMinutes(1);

    /** Contacts the database once, so that what is wrong with it is reported at start-up and not at the first call. */
    static JdbcStoreStart of(JdbcStoreConfiguration configuration, ApplicationContext context) {
        String name = configuration.getDatasource();
        TableName table = new TableName(configuration.getTable());
        CommandTimeout limit = limit(configuration);
        ConnectionOperations<?> callers =
                bean(Argument.of(ConnectionOperations.class, Connection.class), name, context);
        DataSource applications =
                DelegatingDataSource.unwrapDataSource(bean(Argument.of(DataSource.class), name, context));
        BasicJdbcConfiguration basics = context.findBean(BasicJdbcConfiguration.class, Qualifiers.byName(name))
                .orElse(null);
        OwnConnections own = OwnConnections.open(name, applications, basics, limit, configuration.getPoolSize());
        try {
            Dialect dialect = own.lendAtStart(
                    connection -> Dialect.of(connection.getMetaData().getDatabaseProductName()));
            Statements sql = new Statements(dialect, table, configuration.isNotifications() && own.pooled());
            Durability durability = new Durability(configuration, sql);
            SchemaMode mode = configuration.getSchema().orElseGet(() -> byDefault(context.getEnvironment()));
            own.lendAtStart(connection -> {
                durability.refuseReadOnly(connection);
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
            clock.start(atStart.apply(starting).clockRow(), dialect);
            if (own.pooled()) {
                ConnectionSource theirs = applications(applications, callers, limit.starting());
                proveSameTable(name, atStart.apply(starting), atStart.apply(theirs), mode != SchemaMode.NONE);
            }
            return new JdbcStoreStart(
                    new RecordTable(new StatementRunner(own, sql, limit, durability::require, false), clock, replays),
                    durability,
                    new SettledNotifications(
                            sql.tells() ? () -> PostgresNotifications.open(own, own, table.channel()) : null,
                            SettledNotifications.IDLE),
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

    /** The same within a transaction. */
    JdbcStoreStart in(Connection transaction, Duration lockTimeout) {
        SettledNotifications none = new SettledNotifications(null, SettledNotifications.IDLE);
        return new JdbcStoreStart(table.in(transaction, lockTimeout), durability, none, own, guard);
    }

    /** Lends the connection that the calling thread holds, which may be the only one, or another one. */
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
     * Proves that the store's pool and the application's data source reach the same table: writes a record through the one and looks for
     * it through the other. A transactional operation claims on the application's connections, so with two tables one key would have
     * two owners.
     *
     * @param here the records as the store's pool reaches them
     * @param there as the application's data source does
     * @param made whether there is a table; otherwise it may be made later
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
            requireMissing(name, here, e, made); // the next connection had another database
        }
        try {
            if (there.find(id) == null) {
                throw anotherTable(name);
            }
        } catch (JdbcStoreException e) {
            requireMissing(name, here, e, written != null);
        } finally {
            if (written != null) {
                here.remove(written);
            }
        }
    }

    /** Goes on where the table is missing on both sides. */
    private static void requireMissing(String name, RecordTable table, JdbcStoreException e, boolean isElsewhere) {
        if (!e.is(Trouble.NO_TABLE, table.dialect())) {
            throw e;
        }
        if (isElsewhere) {
            throw anotherTable(name);
        }
    }

    private static ConfigurationException anotherTable(String name) {
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

    private static SchemaMode byDefault(Environment environment) {
        Set<String> active = environment.getActiveNames();
        boolean ownMachine = active.contains(Environment.TEST) || active.contains(Environment.DEVELOPMENT);
        return ownMachine ? SchemaMode.CREATE : SchemaMode.VALIDATE;
    }

    private static CommandTimeout limit(JdbcStoreConfiguration configuration) {
        Duration timeout = configuration.getCommandTimeout();
        if (timeout.toMillis() < 1) {
            throw new ConfigurationException(
                    "idempotency.jdbc.command-timeout is " + timeout + "; it must be positive, for instance 2s");
        }
        return new CommandTimeout(timeout);
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
