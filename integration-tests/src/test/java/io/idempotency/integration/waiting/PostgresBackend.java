package io.idempotency.integration.waiting;

import io.idempotency.test.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A PostgreSQL server of its own. */
final class PostgresBackend implements Backend {

    /** All but what is asked in here; also LISTEN and NOTIFY, whose channel has the table's name. */
    private static final String ON_THE_TABLE = " FROM pg_stat_statements WHERE query LIKE '%idempotency_record%'"
            + " AND query NOT LIKE '%pg_stat%' AND query NOT LIKE '%count(*)%'";

    private final PostgresServer server = PostgresServer.start("shared_preload_libraries=pg_stat_statements");

    PostgresBackend() {
        ask("CREATE EXTENSION pg_stat_statements");
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(
                "idempotency.store",
                "jdbc",
                "idempotency.purge.enabled",
                "false",
                "datasources.default.url",
                server.url(),
                "datasources.default.username",
                server.user(),
                "datasources.default.password",
                server.password());
    }

    @Override
    public void reset() {
        ask("SELECT pg_stat_statements_reset()");
    }

    @Override
    public long commands() {
        return Long.parseLong(ask("SELECT coalesce(sum(calls), 0)" + ON_THE_TABLE));
    }

    @Override
    public String counted() {
        return ask("SELECT string_agg(calls || ' ' || verb, ', ') FROM (SELECT sum(calls) AS calls,"
                + " split_part(query, ' ', 1) AS verb" + ON_THE_TABLE + " GROUP BY verb) AS counted");
    }

    @Override
    public long waitedFor() {
        return Long.parseLong(ask("SELECT count(*) FROM idempotency_record WHERE waited_for"));
    }

    @Override
    public void cutChannel() {
        ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE application_name LIKE 'idempotency %'");
    }

    private String ask(String query) {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            if (!statement.execute(query)) {
                return "";
            }
            ResultSet rows = statement.getResultSet();
            rows.next();
            return String.valueOf(rows.getString(1));
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
