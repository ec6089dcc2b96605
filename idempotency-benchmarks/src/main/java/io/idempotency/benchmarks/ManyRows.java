package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Copies of records of a table in PostgreSQL, made by the server itself. */
record ManyRows(PostgresServer server, String table) {

    private static final int TEMPLATES = 1000;
    private static final int LOGGED = 500;

    private interface Use<T> {
        T of(Statement statement) throws SQLException;
    }

    private <T> T use(Use<T> use) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            return use.of(statement);
        }
    }

    /** Calls make the first ones. Copies that are expired are so for long: a fence is remembered for a while. */
    void fill(Turns.Side call, int records, boolean expired) throws Exception {
        for (int i = 0; i < TEMPLATES; i++) {
            call.call("template-" + i, true);
        }
        String columns = text(
                "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = '" + table
                        + "'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('id', 'expires_at_ms', 'settled_at_ms', 'fence')");
        // one whose ends do not agree is not believed, and not purged
        String made = expired ? "1, 1 - retention_ms, 1, " : "expires_at_ms, settled_at_ms, fence, ";
        use(statement -> statement.executeUpdate("INSERT INTO " + table
                + " (id, expires_at_ms, settled_at_ms, fence, " + columns
                + ") SELECT encode(sha256(convert_to(id || copy, 'UTF8')), 'hex'), " + made + columns + " FROM " + table
                + ", generate_series(1, " + Math.max(1, records / TEMPLATES - 1) + ") copy"));
        use(statement -> statement.execute("VACUUM ANALYZE " + table));
        use(statement -> statement.execute("CHECKPOINT"));
    }

    /** What the log grows by with each first call. */
    double logged(Turns.Side call) throws Exception {
        String position = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
        long before = number(position);
        for (int i = 0; i < LOGGED; i++) {
            call.call("logged-" + i, true);
        }
        return (double) (number(position) - before) / LOGGED;
    }

    long count() throws SQLException {
        return number("SELECT count(*) FROM " + table);
    }

    long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    private String text(String query) throws SQLException {
        return use(statement -> {
            try (ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getString(1);
            }
        });
    }
}
