package io.idempotency.test.servers;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three masters, and a replica of each when asked for. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16384;

    private final RedisClient client = RedisClient.create();
    private final List<String> settings;
    private final List<Node> masters;
    private final List<Node> replicas = new ArrayList<>();

    /** One server and the port on which it talks to the others. */
    public record Node(RedisServer server, int busPort, RedisCommands<String, String> redis) {}

    /**
     * Starts three masters.
     *
     * @param settings of each server, for instance {@code "--appendonly", "yes"}
     */
    public RedisCluster(String... settings) {
        this.settings = List.of(settings);
        this.masters = Stream.generate(this::node).limit(3).toList();
        for (int i = 0; i < masters.size(); i++) {
            RedisCommands<String, String> redis = masters.get(i).redis();
            redis.clusterAddSlotsRange(Range.create(SLOTS * i / 3, SLOTS * (i + 1) / 3 - 1));
            redis.clusterSetConfigEpoch(i + 1);
        }
        masters.stream().skip(1).forEach(node -> meet(masters.get(0), node));
        masters.forEach(node -> await().until(() -> agrees(node, 3)));
    }

    private Node node() {
        int busPort = FreePort.next();
        List<String> own = List.of(
                "--cluster-enabled", "yes",
                "--cluster-port", "" + busPort,
                "--cluster-node-timeout", "2000",
                "--repl-diskless-sync-delay", "0",
                "--cluster-announce-ip", "127.0.0.1");
        RedisServer server = RedisServer.onHost(Host.concat(own, settings).toArray(String[]::new));
        return new Node(
                server, busPort, client.connect(RedisURI.create(server.uri())).sync());
    }

    /** The driver's own command knows no bus port. */
    private static void meet(Node one, Node other) {
        one.redis()
                .dispatch(
                        CommandType.CLUSTER,
                        new StatusOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)
                                .add("MEET")
                                .add(other.server().host())
                                .add(other.server().port())
                                .add(other.busPort()));
    }

    private static boolean agrees(Node node, int nodes) {
        return node.redis()
                .clusterInfo()
                .lines()
                .toList()
                .containsAll(List.of("cluster_state:ok", "cluster_slots_ok:" + SLOTS, "cluster_known_nodes:" + nodes));
    }

    /**
     * Gives every master a replica, and waits until it has caught up and knows the other masters: one that knows its
     * own only has nobody to ask for votes when it is gone, for ever.
     */
    public void addReplicaToEach() {
        for (Node master : masters) {
            Node replica = node();
            replicas.add(replica);
            meet(master, replica);
            String masterId = master.redis().clusterMyId();
            await().until(() -> replica.redis().clusterNodes().contains(masterId));
            replica.redis().clusterReplicate(masterId);
        }
        nodes().forEach(node -> await().until(() -> agrees(node, 6)));
        masters.forEach(
                master -> await().until(() -> master.redis().info("replication").contains("state=online")));
    }

    /** Moves a slot without keys to another master, at once. */
    public void move(int slot) {
        Node from = masterOf(slot);
        Node to = masters.get((masters.indexOf(from) + 1) % masters.size());
        String target = to.redis().clusterMyId();
        beginToMove(slot); // without it the new owner takes no new epoch, and the others need not believe it
        to.redis().clusterSetSlotNode(slot, target);
        from.redis().clusterSetSlotNode(slot, target);
        masters.forEach(node -> node.redis().clusterSetSlotNode(slot, target));
    }

    /** Keys of the slot that its master does not have are with another one from now on. */
    public void beginToMove(int slot) {
        Node from = masterOf(slot);
        Node to = masters.get((masters.indexOf(from) + 1) % masters.size());
        to.redis().clusterSetSlotImporting(slot, from.redis().clusterMyId());
        from.redis().clusterSetSlotMigrating(slot, to.redis().clusterMyId());
    }

    /** The master that a slot belongs to from the start. */
    public Node masterOf(int slot) {
        return masters.get(IntStream.range(0, masters.size())
                .filter(i -> slot < SLOTS * (i + 1) / 3)
                .findFirst()
                .orElseThrow());
    }

    public List<Node> replicas() {
        return replicas;
    }

    public List<Node> masters() {
        return masters;
    }

    /** As {@code redis.uris} takes it. */
    public String uris() {
        return masters.stream().map(node -> node.server().uri()).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        client.shutdown();
        nodes().forEach(node -> node.server().close());
    }

    private Stream<Node> nodes() {
        return Stream.concat(masters.stream(), replicas.stream());
    }
}
