package io.idempotency.benchmarks;

import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Redis: two bare scripts, this library and its peers. */
final class RedisPart {

    private static final String OURS = "ours";

    private RedisPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        try (RedisServer server = RedisServer.onHost();
                BareCommands bare = new BareCommands(server.uri());
                Peers peers = Peers.find();
                ApplicationContext ours = Applications.redis(server.uri(), Map.of())) {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put(OURS, Applications.calls(ours));
            sides.putAll(Applications.calls(peers.redis(server.host(), server.port(), new Charges()::charge)));
            return List.of(new Turns(settings)
                    .table(
                            "redis",
                            "Redis",
                            "First / replay; the floor: two bare scripts on a hash, one for a replay.",
                            "Redis",
                            sides));
        }
    }

    static List<Table> replicas(Settings settings) throws Exception {
        try (RedisServer server = RedisServer.onHost();
                RedisServer replica =
                        RedisServer.onHost("--replicaof", server.host(), Integer.toString(server.port()));
                BareCommands bare = new BareCommands(server.uri());
                BareCommands onReplica = new BareCommands(replica.uri());
                ApplicationContext ours = Applications.redis(server.uri(), Map.of())) {
            while (!onReplica.redis().info("replication").contains("master_link_status:up")) {
                Thread.onSpinWait();
            }
            try (ApplicationContext acknowledged =
                    Applications.redis(server.uri(), Map.of("idempotency.redis.replica-acknowledgements", 1))) {
                Map<String, Turns.Side> sides = new LinkedHashMap<>();
                sides.put(OURS, Applications.calls(ours));
                sides.put("one replica acknowledges", Applications.calls(acknowledged));
                sides.put("floor", bare.floor());
                sides.put("floor, one replica acknowledges", bare.acknowledgedFloor());
                return List.of(new Turns(settings)
                        .table(
                                "replicas",
                                "Redis with a replica",
                                "Beside the same calls that wait for no replica. The last two columns are the floor without and with"
                                        + " a WAIT after each script.",
                                "Redis",
                                sides));
            }
        }
    }
}
