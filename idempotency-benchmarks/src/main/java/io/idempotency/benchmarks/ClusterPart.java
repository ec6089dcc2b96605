package io.idempotency.benchmarks;

import io.idempotency.test.servers.FreePort;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One, two and three masters of a Redis Cluster. */
final class ClusterPart {

    private static final int SLOTS = 16_384;
    private static final int MOST = 3;

    private ClusterPart() {}

    private record Node(RedisServer server, int busPort, RedisCommands<String, String> redis) {}

    static List<Table> measure(Settings settings) throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        RedisClient client = RedisClient.create();
        try {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            for (int masters = 1; masters <= MOST; masters++) {
                List<Node> nodes = started(client, masters, open);
                String uris = nodes.stream().map(node -> node.server().uri()).collect(Collectors.joining(","));
                ApplicationContext application = Applications.redisCluster(uris);
                open.add(0, application);
                sides.put(masters + (masters == 1 ? " master" : " masters"), Applications.calls(application));
            }
            List<Map<String, Object>> rows = new ArrayList<>();
            for (int callers : settings.callers()) {
                rows.addAll(new Turns(settings).measure("Redis Cluster", callers, sides));
            }
            return List.of(new Table(
                    "cluster",
                    "Masters of a Redis Cluster",
                    "Ratios are to a cluster of one master. All masters and the callers share one machine's processors: more"
                            + " masters cannot give more calls where these are used up.",
                    rows));
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
            client.shutdown();
        }
    }

    private static List<Node> started(RedisClient client, int masters, List<AutoCloseable> open) throws Exception {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < masters; i++) {
            int busPort = FreePort.next();
            RedisServer server = RedisServer.onHost(
                    "--cluster-enabled", "yes", "--cluster-port", "" + busPort, "--cluster-announce-ip", "127.0.0.1");
            open.add(0, server);
            RedisCommands<String, String> redis =
                    client.connect(RedisURI.create(server.uri())).sync();
            redis.clusterAddSlotsRange(Range.create(SLOTS * i / masters, SLOTS * (i + 1) / masters - 1));
            redis.clusterSetConfigEpoch(i + 1L);
            nodes.add(new Node(server, busPort, redis));
        }
        for (Node other : nodes.subList(1, masters)) {
            nodes.get(0)
                    .redis()
                    .dispatch(
                            CommandType.CLUSTER,
                            new StatusOutput<>(StringCodec.UTF8),
                            new CommandArgs<>(StringCodec.UTF8)
                                    .add("MEET")
                                    .add(other.server().host())
                                    .add(other.server().port())
                                    .add(other.busPort()));
        }
        while (!nodes.stream().allMatch(node -> agrees(node, masters))) {
            Thread.sleep(50);
        }
        return nodes;
    }

    private static boolean agrees(Node node, int masters) {
        return node.redis()
                .clusterInfo()
                .lines()
                .toList()
                .containsAll(List.of("cluster_state:ok", "cluster_known_nodes:" + masters));
    }
}
