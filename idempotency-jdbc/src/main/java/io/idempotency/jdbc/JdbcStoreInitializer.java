package io.idempotency.jdbc;

import io.idempotency.jdbc.JdbcStoreConfiguration.SchemaMode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.BeanContextException;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * What happens once, when the store starts.
 *
 * @param table where the records are
 * @param durability what the server keeps, against what is asked of it
 * @param notifications by which callers that wait hear of them
 * @param own the store's connections
 * @param guard of a file of H2
 */
record JdbcStoreInitializer(
        RecordTable table,
        Durability durability,
        SettledNotifications notifications,
        OwnConnections own,
        Optional<H2Guard> guard) {

    /** Contacts the database once, so that what is wrong with it is reported at start-up and not at the first call. */
    static JdbcStoreInitializer of(JdbcStoreConfiguration configuration, ApplicationContext context) {
        String datasource = configuration.getDatasource();
        TableName table = new TableName(configuration.getTable());
        SchemaMode mode = configuration.getSchema().orElseGet(() -> byDefault(context.getEnvironment()));
        CommandTimeout limit = limit(configuration);
        ConnectionOperations<Connection> callers = callers(datasource, context);
        DataSource applications = dataSource(datasource, context);
        OwnConnections own = own(configuration, applications, limit, context);
        try {
            Dialect dialect = own.lendAtStart(
                    connection -> Dialect.of(connection.getMetaData().getDatabaseProductName()));
            Statements sql = Statements.of(dialect, table, configuration.isNotifications() && own.pooled());
            Durability durability = new Durability(configuration, dialect, table);
            own.lendAtStart(connection -> {
                durability.refuseReadOnly(connection);
                return new Schema(dialect, table, sql).ensure(mode, connection);
            });
            Optional<H2Guard> guard = dialect instanceof H2Dialect ? H2Guard.open(datasource, own) : Optional.empty();
            own.lendAtStart(connection -> durability.start(connection, guard));
            ClockWatch clock = new ClockWatch(datasource, configuration.getClockJumpLimit(), System::nanoTime);
            ReplayRatio replays = new ReplayRatio(dialect.asksFirstFrom());
            Function<ConnectionSource, RecordTable> tables = source -> new RecordTable(
                    StatementRunner.of(source, dialect, limit.starting(), durability), sql, clock, replays);
            clock.start(tables.apply(own::lendAtStart).clockRow(), dialect);
            if (own.pooled()) {
                new PoolCheck(datasource, dialect, mode != SchemaMode.NONE)
                        .prove(
                                own::lendAtStart,
                                new PoolCheck.Applications(applications, callers, limit.starting()),
                                tables);
            }
            NotificationSource heard = sql.tells() ? new PostgresNotifications(own, own, table.channel()) : null;
            return new JdbcStoreInitializer(
                    new RecordTable(StatementRunner.of(own, dialect, limit, durability), sql, clock, replays),
                    durability,
                    new SettledNotifications(heard, SettledNotifications.IDLE),
                    own,
                    guard);
        } catch (ConfigurationException e) {
            own.close();
            throw e;
        } catch (SQLException | RuntimeException e) {
            own.close();
            throw unusable(datasource, e);
        }
    }

    /** The same within a transaction. */
    JdbcStoreInitializer in(Connection transaction, Duration lockTimeout) {
        return new JdbcStoreInitializer(
                table.in(transaction, lockTimeout), durability, SettledNotifications.none(), own, guard);
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

    private static ConnectionOperations<Connection> callers(String datasource, ApplicationContext context) {
        try {
            return context.findBean(
                            Argument.of(ConnectionOperations.class, Connection.class), Qualifiers.byName(datasource))
                    .orElseThrow(() -> missing(datasource));
        } catch (BeanContextException e) {
            throw unusable(datasource, e);
        }
    }

    private static DataSource dataSource(String datasource, ApplicationContext context) {
        try {
            return context.findBean(DataSource.class, Qualifiers.byName(datasource))
                    .map(DelegatingDataSource::unwrapDataSource)
                    .orElseThrow(() -> missing(datasource));
        } catch (BeanContextException e) {
            throw unusable(datasource, e);
        }
    }

    private static OwnConnections own(
            JdbcStoreConfiguration configuration,
            DataSource applications,
            CommandTimeout limit,
            ApplicationContext context) {
        String datasource = configuration.getDatasource();
        BasicJdbcConfiguration basics = context.findBean(BasicJdbcConfiguration.class, Qualifiers.byName(datasource))
                .orElse(null);
        return OwnConnections.open(configuration, applications, basics, limit);
    }

    private static ConfigurationException missing(String datasource) {
        return new ConfigurationException(
                "The JDBC idempotency store has no data source '" + datasource
                        + "'. Set datasources." + datasource + ".url, with a connection pool on the class path"
                        + " (io.micronaut.sql:micronaut-jdbc-hikari), or name another data source in idempotency.jdbc.datasource.");
    }

    private static ConfigurationException unusable(String datasource, Exception cause) {
        return new ConfigurationException(
                "The JDBC idempotency store cannot use the database of datasources." + datasource
                        + ".url: " + cause.getMessage()
                        + " (the data source is chosen by idempotency.jdbc.datasource)",
                cause);
    }
}
