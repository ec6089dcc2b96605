package io.idempotency.integration.waiting;

import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A Redis server of its own. */
final class RedisBackend implements Backend {

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final RedisCommands<String, String> redis = client.connect().sync();

    @Override
    public Map<String, String> properties() {
        return Map.of(
                "idempotency.store",
                "redis",
                "redis.uri",
                server.uri(),
                "idempotency.redis.required-durability",
                "none",
                "datasources.default.url",
                "jdbc:h2:mem:nobody");
    }

    @Override
    public void reset() {
        redis.configResetstat();
    }

    private Map<String, Long> executed() {
        Map<String, Long> executed = new TreeMap<>();
        redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .forEach(line -> executed.put(
                        line.substring("cmdstat_".length(), line.indexOf(':')),
                        Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1"))));
        return executed;
    }

    /** What the nodes send; the scripts call the other commands. */
    private Map<String, Long> sent() {
        Map<String, Long> sent = executed();
        sent.keySet().retainAll(Set.of("eval", "evalsha", "subscribe"));
        return sent;
    }

    @Override
    public long commands() {
        return sent().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String counted() {
        return sent().toString();
    }

    @Override
    public long waitedFor() {
        return redis.keys("idempotency:*").stream()
                .filter(key -> redis.type(key).equals("string")
                        && redis.getrange(key, 1, 1).equals("w"))
                .count();
    }

    @Override
    public void cutChannel() {
        redis.aclSetuser("default", new AclSetuserArgs().removeCommand(CommandType.SUBSCRIBE));
        redis.clientKill(KillArgs.Builder.typePubsub());
    }

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}
