package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.connection.StatementRunner.ClaimCheck;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Sql;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.micronaut.context.exceptions.ConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the database's durability with the required one: at start-up, before the first claim on each physical
 * connection (a fail-over opens new ones), and again when the last answer is old. Thread-safe.
 */
final class Durability implements ClaimCheck {

    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);

    /** The detail of the store's health that says why claims are refused. */
    static final String PROBLEM = "problem";

    private static final String ASKED_AGAIN =
            "New claims are refused, what finishes work passes. The next claim asks the server again.";

    private final String datasource;
    private final Statements sql;
    private final boolean declared;
    private final JdbcDurability required;
    final Duration interval;
    private final Map<Connection, Long> provedNanos = Collections.synchronizedMap(new WeakHashMap<>());
    private boolean refusing;
    private volatile boolean unguarded;

    /** The timeline on which claims are accepted; 0 until it is known. */
    volatile long accepted;

    /** Whether a connection was on another timeline since the last {@link #accept}. */
    volatile boolean promoted;

    record Found(boolean readOnly, JdbcDurability level, String settings) {}

    Durability(JdbcStoreConfiguration configuration, Statements sql) {
        this.datasource = configuration.getDatasource();
        this.sql = sql;
        this.declared = configuration.getRequiredDurability().isPresent();
        this.required = configuration.getRequiredDurability().orElse(JdbcDurability.NONE);
        this.interval = configuration.getDurabilityCheckInterval();
    }

    Found ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.sql(Verb.DURABILITY).text())) {
            row.next();
            JdbcDurability level = row.getBoolean(3)
                    ? JdbcDurability.REPLICATED
                    : row.getBoolean(2) ? JdbcDurability.CRASH_SAFE : JdbcDurability.NONE;
            return new Found(row.getBoolean(1), unguarded ? JdbcDurability.NONE : level, row.getString(4));
        }
    }

    /**
     * Refuses a server that takes no writes or is less durable than required; warns of NONE without a requirement.
     *
     * @param guarded whether H2's file is kept open and written at once
     */
    JdbcDurability start(Connection connection, boolean guarded) throws SQLException {
        boolean h2 = sql.dialect() == Dialect.H2;
        unguarded = h2 && !guarded;
        Found found = ask(connection);
        if (!isGood(found)) {
            throw new ConfigurationException(problem(found, "The application does not start."));
        }
        if (!declared && found.level() == JdbcDurability.NONE && !h2) {
            LOG.warn(
                    "The server of datasources.{} answers commits that it does not keep in every crash ({}): their"
                            + " operations can run AGAIN. {}, or declare idempotency.jdbc.required-durability: none if"
                            + " that is acceptable.",
                    datasource,
                    found.settings(),
                    sql.dialect().text("cure"));
        }
        LOG.info(
                "Idempotency records are in the database of datasources.{}, durability {} ({})",
                datasource,
                found.level().setting(),
                found.settings());
        return found.level();
    }

    /** Throws before a claim is sent on a connection whose server is less durable than required. */
    @Override
    public void require(Connection connection) throws SQLException {
        if (required == JdbcDurability.NONE || sql.dialect() == Dialect.H2) {
            return; // H2's settings are those of its start
        }
        Connection physical = physical(connection);
        Long nanos = provedNanos.get(physical);
        if (nanos != null && System.nanoTime() - nanos < interval.toNanos()) {
            return;
        }
        Found found = ask(connection);
        learn(found);
        requireAccepted(connection);
        if (!isGood(found)) {
            throw NotSentException.refused(problem(found, ASKED_AGAIN));
        }
        provedNanos.put(physical, System.nanoTime());
    }

    /** Throws when the connection's server is on another timeline than the accepted one: a standby was promoted. */
    private void requireAccepted(Connection connection) throws SQLException {
        if (accepted == 0 || !isReplicationRequired()) {
            return;
        }
        String timeline = Sql.answer(connection, sql.sql(Verb.TIMELINE).text());
        if (timeline != null && Long.parseLong(timeline) != accepted) {
            promoted = true;
            throw NotSentException.refused("a standby was promoted to timeline " + timeline
                    + ". Repeat the call, which looks at what may be missing.");
        }
    }

    @Override
    public boolean isReplicationRequired() {
        return required == JdbcDurability.REPLICATED;
    }

    void accept(long timeline) {
        accepted = timeline;
        promoted = false;
    }

    /** Asks the server, and returns the required and the actual durability as details of the store's health. */
    Map<String, String> health(Connection connection) throws SQLException {
        Found found = ask(connection);
        Map<String, String> details = new TreeMap<>(Map.of(
                "requiredDurability", required.setting(),
                "actualDurability", found.level().setting(),
                "settings", found.settings()));
        if (!isGood(found)) {
            details.put(PROBLEM, problem(found, ASKED_AGAIN));
        }
        return details;
    }

    private synchronized void learn(Found found) {
        if (isGood(found) && refusing) {
            LOG.info("The database is as durable as required again, claims are taken ({})", found.settings());
        } else if (!isGood(found) && !refusing) {
            LOG.error(problem(found, ASKED_AGAIN));
        }
        refusing = !isGood(found);
    }

    private boolean isGood(Found found) {
        return !found.readOnly() && found.level().compareTo(required) >= 0;
    }

    private String problem(Found found, String consequence) {
        String database = "database of datasources." + datasource;
        return found.readOnly()
                ? "The " + database + " takes no writes (" + found.settings()
                        + "): it is a standby, or set to read-only. " + consequence + " Point datasources." + datasource
                        + ".url at the primary server."
                : "The idempotency store 'jdbc' requires durability " + required.setting()
                        + " (idempotency.jdbc.required-durability), but the " + database + " has "
                        + found.level().setting() + " (" + found.settings() + "). " + consequence + " "
                        + sql.dialect().text("cure") + ", or require less.";
    }

    /** Returns the physical connection, which a pool wraps anew for each borrower. */
    private static Connection physical(Connection connection) throws SQLException {
        Connection inner = connection.isWrapperFor(Connection.class) ? connection.unwrap(Connection.class) : connection;
        return inner == connection ? inner : physical(inner);
    }
}
