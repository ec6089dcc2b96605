package io.idempotency.jdbc;

import io.idempotency.test.servers.MariaDbServer;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * An empty place to keep records in: a database of its own in H2, a table of its own in a server.
 *
 * @param url where
 * @param user who
 * @param password the password
 * @param table the table
 */
record Place(String url, String user, String password, String table) {

    static Place h2() {
        return h2("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    static Place h2(String url) {
        return new Place(url, "sa", "", "idempotency_record");
    }

    static Place postgres() {
        return postgres(PostgresServer.shared());
    }

    static Place postgres(PostgresServer server) {
        return new Place(server.url(), server.user(), server.password(), fresh());
    }

    /** A table in MariaDB, through the driver of the given name: {@code mariadb} or {@code mysql}. */
    static Place mariaDb(String driver) {
        MariaDbServer server = MariaDbServer.shared();
        String url = server.url().replace("jdbc:mariadb:", "jdbc:" + driver + ":");
        return new Place(url, server.user(), server.password(), fresh());
    }

    /** As {@link #mariaDb}, whose sessions are as they are by default since MariaDB 11.6. */
    static Place mariaDbWithSnapshotIsolation(String driver) {
        return mariaDb(driver).with("?sessionVariables=innodb_snapshot_isolation=1");
    }

    /**
     * A table in MySQL where {@code idempotency.test.mysql.url} names a server, with the user root unless
     * {@code idempotency.test.mysql.user} and {@code .password} say otherwise; else in MariaDB, which understands it.
     */
    static Place mySql() {
        String url = System.getProperty("idempotency.test.mysql.url");
        return url == null
                ? mariaDb("mysql")
                : new Place(
                        url,
                        System.getProperty("idempotency.test.mysql.user", "root"),
                        System.getProperty("idempotency.test.mysql.password", ""),
                        fresh());
    }

    static String fresh() {
        return "t_" + UUID.randomUUID().toString().replace("-", "");
    }

    Place with(String urlSuffix) {
        return new Place(url + urlSuffix, user, password, table);
    }

    /** An application whose JDBC store is here, in the environment {@code test} (so it makes its table). */
    ApplicationContext application(Object... more) {
        return start("test", more);
    }

    /** An application in the given environment. */
    ApplicationContext start(String environment, Object... more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "datasources.default.url", url,
                "datasources.default.username", user,
                "datasources.default.password", password,
                "datasources.default.connection-timeout", 30_000,
                "idempotency.jdbc.command-timeout", "10s",
                "idempotency.purge.enabled", false,
                "idempotency.jdbc.table", table));
        if (MutatedStatements.wanted()) {
            properties.put("datasources.default.url", MutatedStatements.PREFIX + url);
            properties.put("datasources.default.driver-class-name", MutatedStatements.class.getName());
        }
        for (int i = 0; i < more.length; i += 2) {
            properties.put((String) more[i], more[i + 1]);
        }
        return ApplicationContext.builder()
                .properties(properties)
                .deduceEnvironment(false)
                .environments(environment)
                .start();
    }

    /** Runs a statement by hand, beside the application. */
    void run(String sql) {
        try (Connection connection = open()) {
            run(connection, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Runs a statement by hand, on a connection of the caller's. */
    static void run(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Makes the result's column narrower, by a constraint where PostgreSQL's columns have no width; at most an int lifts that. */
    void limitResults(int bytes) {
        boolean limited = bytes < Integer.MAX_VALUE;
        String alter = "ALTER TABLE " + table + " ";
        if (url.startsWith("jdbc:h2")) {
            run(alter + "ALTER COLUMN result SET DATA TYPE VARBINARY" + (limited ? "(" + bytes + ")" : ""));
        } else if (url.startsWith("jdbc:postgresql")) {
            String narrow = "CONSTRAINT narrow";
            run(alter
                    + (limited
                            ? "ADD " + narrow + " CHECK (octet_length(result) <= " + bytes + ")"
                            : "DROP " + narrow));
        } else {
            String narrow = bytes < 256 ? "VARBINARY(" + bytes + ")" : "BLOB";
            run(alter + "MODIFY result " + (limited ? narrow : "LONGBLOB"));
        }
    }

    /** Lets PostgreSQL roll back the next inserts, as in favour of other transactions. */
    void rollBackInserts(int count) {
        String name = fresh();
        run("CREATE SEQUENCE " + name);
        run("CREATE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('" + name + "') <= "
                + count + " THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$");
        run("CREATE TRIGGER rolled_back BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION " + name + "()");
    }

    /** The first row of a query, its columns joined by {@code |}. */
    String ask(String query) {
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            StringJoiner row = new StringJoiner("|");
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                row.add(rows.getString(i));
            }
            return row.toString();
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url, user, password);
        if (url.contains("default_transaction_isolation")) {
            // The isolation is the application's: a statement by hand that asked for it too could be refused for what
            // other tests do at the same time, and nothing would repeat it.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        return connection;
    }
}
