package io.idempotency.integration.campaign;

import io.idempotency.test.servers.MariaDbServer;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.SqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
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

    private final String name;
    private final SqlServer server;
    private final String url;
    private final Network network;

    private SqlUnderTest(String name, SqlServer server, String url, Random random) throws SQLException {
        this.name = name;
        this.server = server;
        this.url = url;
        this.network = new Network(server, random);
        try (Connection connection = open()) {
            Bookings.create(connection);
        }
    }

    static StoreUnderTest postgresql(Random random, String... settings) throws SQLException {
        SqlServer server = PostgresServer.onHost(settings);
        return new SqlUnderTest("PostgreSQL", server, server.url(), random);
    }

    static StoreUnderTest mariadb(Random random) throws SQLException {
        SqlServer server = MariaDbServer.onHost();
        return new SqlUnderTest("MariaDB", server, server.url(), random);
    }

    /** MySQL's driver and statements, which a MariaDB server understands. */
    static StoreUnderTest mysql(Random random) throws SQLException {
        SqlServer server = MariaDbServer.onHost();
        String url = server.url().replace("jdbc:mariadb:", "jdbc:mysql:");
        return new SqlUnderTest("MySQL's driver and statements on MariaDB", server, url, random);
    }

    @Override
    public Map<String, Object> properties() {
        String there = server.host() + ':' + server.port();
        return properties(url.replace(there, "127.0.0.1:" + network.port()));
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties(url);
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
        faults.add(Fault.SESSIONS_ENDED);
        if (server instanceof PostgresServer) {
            faults.add(Fault.READ_ONLY);
        }
        return faults;
    }

    @Override
    public void happen(Fault fault) throws SQLException {
        switch (fault) {
            case SESSIONS_ENDED -> {
                for (int i = 0; i < 20; i++) {
                    endSessions();
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

    private void endSessions() throws SQLException {
        if (server instanceof PostgresServer) {
            execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
            return;
        }
        try (Connection connection = open();
                Statement others = connection.createStatement();
                Statement kill = connection.createStatement();
                ResultSet ids = others.executeQuery("SELECT id FROM information_schema.processlist"
                        + " WHERE id <> connection_id() AND db IS NOT NULL")) {
            while (ids.next()) {
                // one that has ended meanwhile is none of ours to kill
                kill.execute("BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR 1094 BEGIN END; KILL " + ids.getLong(1)
                        + "; END");
            }
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
        return name;
    }
}
