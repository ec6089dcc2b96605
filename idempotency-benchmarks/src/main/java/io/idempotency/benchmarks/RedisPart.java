package io.idempotency.benchmarks;

import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Redis: two bare scripts, this library, the commands of its peers. */
final class RedisPart {

    private RedisPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Map<String, Object>> targets = new ArrayList<>();
        try (RedisServer server = RedisServer.onHost();
                BareCommands bare = new BareCommands(server.uri());
                ApplicationContext ours = Applications.redis(server.uri(), false);
                ApplicationContext near = Applications.redis(server.uri(), true)) {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put("ours", Applications.calls(ours));
            sides.put("commands of arun0009", bare.arun());
            sides.put("commands of adzubla", bare.adzubla());
            sides.put("ours, near cache", Applications.calls(near));
            Turns turns = new Turns(settings);
            for (int callers : settings.callers()) {
                rows.addAll(turns.measure("Redis", callers, sides));
                targets.addAll(Targets.REDIS_FLOOR.of("Redis", callers, turns, "ours", List.of("floor")));
                targets.addAll(Targets.REDIS_PEER.of(
                        "Redis", callers, turns, "ours", List.of("commands of arun0009", "commands of adzubla")));
            }
        }
        return List.of(
                new Table(
                        "redis",
                        "Redis, " + settings.threads() + " threads",
                        "Calls per second, and medians of each round's ratio to the floor: two bare scripts on a hash for a first"
                                + " call, one for a replay, called through the driver. Ours is the whole library, from the advised"
                                + " method on. The peers' sides are the commands that they send, re-implemented here without"
                                + " their frameworks: what they could reach at best.",
                        rows),
                new Table("redis", "Redis, " + settings.threads() + " threads: targets", "", targets));
    }
}
