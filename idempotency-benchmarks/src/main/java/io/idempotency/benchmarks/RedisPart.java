package io.idempotency.benchmarks;

import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Redis: two bare scripts, this library, its peers and their bare commands. */
final class RedisPart {

    private static final String OURS = "ours";

    private RedisPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        try (RedisServer server = RedisServer.onHost();
                BareCommands bare = new BareCommands(server.uri());
                Peers peers = Peers.find();
                ApplicationContext ours = Applications.redis(server.uri(), Map.of());
                ApplicationContext alone = Applications.memory();
                ApplicationContext near =
                        Applications.redis(server.uri(), Map.of("idempotency.near-cache.enabled", true))) {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put(Targets.LEAST, bare.safe());
            sides.put(OURS, Applications.calls(ours));
            Map<String, Turns.Side> theirs =
                    Applications.calls(peers.redis(server.host(), server.port(), new Charges()::charge));
            sides.putAll(theirs);
            sides.put("commands of arun0009", bare.arun());
            sides.put("commands of adzubla", bare.adzubla());
            sides.put("ours, near cache", Applications.calls(near));
            sides.put(Targets.ALONE, Applications.calls(alone));
            return new Turns(settings)
                    .tables(
                            "redis",
                            "Redis",
                            "Calls per second, and medians of each round's ratio to the floor: two bare scripts on a hash for a first"
                                    + " call, one for a replay, called through the driver. Ours is the whole library, from the advised"
                                    + " method on."
                                    + peers.how()
                                    + " The commands of a peer are sent bare, without it: the least that it could take, and no peer.",
                            "Redis",
                            sides,
                            Targets.REDIS_PEER.besides(Targets.REDIS_FLOOR.of(OURS, "floor"), OURS, theirs));
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
                return new Turns(settings)
                        .tables(
                                "replicas",
                                "Redis with a replica",
                                "Ratios are to the same calls that wait for no replica. Both servers and the callers share one"
                                        + " machine's processors. The floor is two bare scripts, each followed by a WAIT on the"
                                        + " caller's own connection where a replica acknowledges: what that costs by itself is the"
                                        + " ratio of the last two rows.",
                                "Redis",
                                sides,
                                List.of(Targets.REPLICAS.of("one replica acknowledges", OURS)));
            }
        }
    }
}
