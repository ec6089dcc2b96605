package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.micronaut.context.exceptions.ConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what the database keeps with what was asked of it: at start-up, before the first claim on every physical
 * connection (a fail-over means new ones), and again when the answer is old. Thread-safe.
 */
final class Durability {

    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);

    /** In the details of the health, where claims are refused. */
    static final String PROBLEM = "problem";

    private static final String ASKED_AGAIN =
            "New claims are refused, what finishes work passes. The next claim asks the server again.";

    private final String datasource;
    private final Statements sql;
    private final boolean declared;
    private final JdbcDurability required;
    private final boolean isH2;
    private final Duration interval;
    private final Map<Connection, Long> provedNanos = new WeakHashMap<>();
    private boolean refusing;
    private volatile boolean unguarded;
    private volatile long accepted;
    private volatile boolean promoted;

    /**
     * What a server said.
     *
     * @param readOnly whether it takes no writes
     * @param level what it keeps
     * @param settings what that was read off, for people
     */
    record Found(boolean readOnly, JdbcDurability level, String settings) {}

    Durability(JdbcStoreConfiguration configuration, Statements sql) {
        this.datasource = configuration.getDatasource();
        this.sql = sql;
        this.declared = configuration.getRequiredDurability().isPresent();
        this.required = configuration.getRequiredDurability().orElse(JdbcDurability.NONE);
        this.isH2 = sql.dialect() == Dialect.H2;
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

    /** Before anything is written. */
    void refuseReadOnly(Connection connection) throws SQLException {
        Found found = ask(connection);
        if (found.readOnly()) {
            throw new ConfigurationException("The database of datasources." + datasource + " takes no writes ("
                    + found.settings() + "): it is a standby, or set to read-only. The application does not start."
                    + " Point datasources." + datasource + ".url at the primary server.");
        }
    }

    /**
     * Refuses less than is required, and warns of little where nothing is.
     *
     * @param guarded whether a file of H2 is kept open, and written at once
     */
    JdbcDurability start(Connection connection, boolean guarded) throws SQLException {
        unguarded = isH2 && !guarded;
        Found found = ask(connection);
        if (found.level().compareTo(required) < 0) {
            throw new ConfigurationException(problem(found, "The application does not start."));
        }
        if (!declared && found.level() == JdbcDurability.NONE && !isH2) {
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

    /**
     * Asked before each claim. Costs nothing where nothing is required.
     *
     * @throws NotSentException where the server behind this connection does less than is required
     */
    void require(Connection connection) throws SQLException {
        if (required == JdbcDurability.NONE || isH2) {
            return;
        }
        Connection physical = physical(connection);
        synchronized (this) {
            Long nanos = provedNanos.get(physical);
            if (nanos != null && System.nanoTime() - nanos < interval.toNanos()) {
                return;
            }
        }
        Found found = ask(connection);
        learn(found);
        requireAccepted(connection);
        if (!isGood(found)) {
            throw new NotSentException(
                    "The record was not claimed and the body did not run: " + problem(found, ASKED_AGAIN));
        }
        synchronized (this) {
            provedNanos.put(physical, System.nanoTime());
        }
    }

    /** A connection to a standby that was promoted claims nothing before the timeline was looked at. */
    private void requireAccepted(Connection connection) throws SQLException {
        if (!sql.has(Verb.TIMELINE) || required != JdbcDurability.REPLICATED || accepted == 0) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.sql(Verb.TIMELINE).text())) {
            row.next();
            if (row.getLong(1) != accepted && !row.wasNull()) {
                promoted = true;
                throw new NotSentException(
                        "The record was not claimed and the body did not run: a standby was promoted to" + " timeline "
                                + row.getLong(1) + ". Repeat the call, which looks at what may be missing.");
            }
        }
    }

    /** The timeline that claims are taken on. */
    void accept(long timeline) {
        accepted = timeline;
        promoted = false;
    }

    /** Whether a connection was on another timeline than that. */
    boolean promoted() {
        return promoted;
    }

    /** Declared and actual, as this server says now. */
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
        return "The idempotency store 'jdbc' requires durability " + (declared ? required.setting() : "")
                + " (idempotency.jdbc.required-durability), but the database of datasources." + datasource + " has "
                + found.level().setting() + (found.readOnly() ? " and takes no writes" : "") + " (" + found.settings()
                + "). " + consequence + " " + sql.dialect().text("cure") + ", or require less.";
    }

    /** A pool lends another wrapper each time. */
    private static Connection physical(Connection connection) throws SQLException {
        Connection outer = connection;
        while (outer.isWrapperFor(Connection.class)) {
            Connection inner = outer.unwrap(Connection.class);
            if (inner == outer) {
                break;
            }
            outer = inner;
        }
        return outer;
    }
}
