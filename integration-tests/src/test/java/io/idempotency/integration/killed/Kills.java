package io.idempotency.integration.killed;

import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.SqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** One run: some nodes on one database, and what happens to them and between them. */
final class Kills implements AutoCloseable {

    private static final Duration SOON = Duration.ofMinutes(5);
    private static final int NODES = 2;
    private static final int STARTS = 20;

    /** Longer than a lease. */
    private static final int STANDS_STILL_MILLIS = 5_000;

    private static final int MOMENT_MILLIS = 200;
    private static final int BETWEEN_MILLIS = 4_000;

    private enum Fault {
        NODE_KILLED,
        NODE_STOPPED,
        SERVER_KILLED,
        SERVER_STOPPED,
        SERVER_RESTARTED,
        CONNECTIONS_RESET,
        /** After the server did what it was asked to. */
        REPLIES_RESET,
        REPLIES_LOST
    }

    private final SqlServer server;
    private final Path logs;
    private final Random random;
    private final FaultProxy proxy;
    private final Verdict verdict = new Verdict();
    private final KilledNode[] nodes = new KilledNode[NODES];
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final long sinceMs = System.currentTimeMillis();
    private int started;
    private int effects;

    Kills(SqlServer server, Path logs, Random random) throws SQLException {
        this.server = server;
        this.logs = logs;
        this.random = random;
        this.proxy = FaultProxy.to(server.host(), server.port());
        try (Connection connection = open()) {
            Effects.create(connection);
        }
    }

    /** In the end all nodes are killed. */
    void run(Duration span) throws Exception {
        start();
        long end = System.nanoTime() + span.toNanos();
        while (System.nanoTime() < end) {
            Effects.pause(2 * BETWEEN_MILLIS);
            if (System.nanoTime() < end) {
                happens(fault());
            }
        }
        for (KilledNode node : nodes) {
            node.kill();
        }
    }

    /** One that finds no database gives up, and is started again. */
    private void start() {
        int before = started;
        await().atMost(SOON)
                .failFast("Nodes end as soon as they are started, see " + logs, () -> started > before + STARTS)
                .until(() -> {
                    for (int i = 0; i < NODES; i++) {
                        if (nodes[i] == null || !nodes[i].alive()) {
                            nodes[i] = node(KilledNode.SINCE, sinceMs);
                        }
                    }
                    return Stream.of(nodes).allMatch(KilledNode::ready);
                });
    }

    private Fault fault() {
        Fault[] all = Fault.values();
        return random.nextInt(3) == 0 ? Fault.NODE_KILLED : all[random.nextInt(all.length)];
    }

    private void happens(Fault fault) throws Exception {
        faults.merge(fault, 1, Integer::sum);
        System.out.println(Instant.now() + " " + fault);
        KilledNode node = nodes[random.nextInt(NODES)];
        switch (fault) {
            case NODE_KILLED -> node.kill();
            case NODE_STOPPED -> {
                node.signal("STOP");
                Effects.pause(STANDS_STILL_MILLIS);
                node.signal("CONT");
            }
            case SERVER_KILLED -> {
                server.kill();
                Effects.pause(STANDS_STILL_MILLIS);
                server.restart();
            }
            case SERVER_STOPPED -> {
                server.pause();
                Effects.pause(STANDS_STILL_MILLIS);
                server.resume();
            }
            case SERVER_RESTARTED -> server.restart();
            case CONNECTIONS_RESET -> proxy.reset();
            case REPLIES_RESET -> {
                proxy.resetOnReply();
                Effects.pause(MOMENT_MILLIS);
                proxy.pass();
            }
            case REPLIES_LOST -> {
                proxy.dropReplies();
                Effects.pause(STANDS_STILL_MILLIS);
                proxy.pass();
            }
        }
        start();
    }

    /** Calls every key once more, on a node that nothing happens to. */
    List<String> verdict() throws Exception {
        Set<String> keys = verdict.keys();
        try (Connection connection = open()) {
            Effects.read(connection).forEach(effect -> keys.add(effect.key()));
        }
        verdict.ending();
        Path again = Files.write(logs.resolve("keys"), keys.stream().sorted().toList());
        int exit = node(KilledNode.AGAIN, again).awaitEnd();
        if (exit != 0) {
            throw new IllegalStateException("The last node ended with " + exit);
        }
        try (Connection connection = open()) {
            List<Effect> all = Effects.read(connection);
            effects = all.size();
            return verdict.on(all);
        }
    }

    private KilledNode node(String property, Object value) throws IOException {
        Map<String, Object> properties = new HashMap<>(Map.of(
                KilledNode.PROPERTY,
                true,
                property,
                value,
                "redis.enabled",
                false,
                "idempotency.store",
                "jdbc",
                "datasources.default.maximum-pool-size",
                12,
                "datasources.ledger.maximum-pool-size",
                12));
        for (String dataSource : List.of("default", "ledger")) {
            properties.put("datasources." + dataSource + ".url", server.url());
            properties.put("datasources." + dataSource + ".username", server.user());
            properties.put("datasources." + dataSource + ".password", server.password());
        }
        if (property.equals(KilledNode.SINCE)) {
            String there = server.host() + ':' + server.port();
            properties.put("datasources.default.url", server.url().replace(there, "127.0.0.1:" + proxy.port()));
        }
        return KilledNode.start(properties, verdict::told, logs.resolve("node-" + started++ + ".log"));
    }

    @Override
    public void close() throws Exception {
        for (KilledNode node : nodes) {
            if (node != null) {
                node.kill();
            }
        }
        proxy.close();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    public String toString() {
        return faults + ", " + started + " nodes, " + effects + " effects, " + verdict;
    }
}
