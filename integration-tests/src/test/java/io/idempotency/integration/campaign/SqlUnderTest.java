package io.idempotency.integration.campaign;

import io.idempotency.test.servers.MariaDbServer;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.SqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A PostgreSQL or MariaDB server. */
final class SqlUnderTest implements StoreUnderTest {

    private final SqlServer server;
    private final Network network;

    private SqlUnderTest(SqlServer server, Random random) throws SQLException {
        this.server = server;
        this.network = new Network(server, random);
        try (Connection connection = open()) {
            Bookings.create(connection);
        }
    }

    static StoreUnderTest postgresql(Random random, String... settings) throws SQLException {
        return new SqlUnderTest(PostgresServer.onHost(settings), random);
    }

    static StoreUnderTest mariadb(Random random) throws SQLException {
        return new SqlUnderTest(MariaDbServer.onHost(), random);
    }

    @Override
    public Map<String, Object> properties() {
        String there = server.host() + ':' + server.port();
        return properties(server.url().replace(there, "127.0.0.1:" + network.port()));
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties(server.url());
    }

    private Map<String, Object> properties(String url) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "jdbc");
        properties.put("redis.enabled", false);
        properties.put(Bookings.PROPERTY, true);
        properties.put("datasources.default.url", url);
        properties.put("datasources.default.username", server.user());
        properties.put("datasources.default.password", server.password());
        properties.put("datasources.default.maximum-pool-size", 12);
        return properties;
    }

    @Override
    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.copyOf(Network.FAULTS);
        if (server instanceof PostgresServer) {
            faults.addAll(Set.of(Fault.SESSIONS_ENDED, Fault.READ_ONLY));
        }
        return faults;
    }

    @Override
    public void happen(Fault fault) throws SQLException {
        switch (fault) {
            case SESSIONS_ENDED -> {
                for (int i = 0; i < 20; i++) {
                    execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
                    network.pause(100);
                }
            }
            case READ_ONLY -> {
                execute("ALTER SYSTEM SET default_transaction_read_only = on");
                execute("SELECT pg_reload_conf()");
                network.pause(5_000);
                execute("SET default_transaction_read_only = off; ALTER SYSTEM RESET default_transaction_read_only");
                execute("SELECT pg_reload_conf()");
            }
            default -> network.happen(fault);
        }
    }

    @Override
    public List<Event.Effect> bookings() throws SQLException {
        try (Connection connection = open()) {
            return Bookings.read(connection);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            for (String each : sql.split("; ")) {
                statement.execute(each);
            }
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    public void close() {
        network.close();
        server.close();
    }

    @Override
    public String toString() {
        return server instanceof PostgresServer ? "PostgreSQL" : "MariaDB";
    }
}
