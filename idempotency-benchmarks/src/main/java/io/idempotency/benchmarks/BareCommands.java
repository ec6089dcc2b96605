package io.idempotency.benchmarks;

import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What a first call and a replay are in bare commands. */
final class BareCommands implements AutoCloseable {

    static final String RESULT = "{\"id\":\"ch-f-0000000000-0000-0\",\"orderId\":\"order-4711\",\"amount\":129.90,"
            + "\"currency\":\"EUR\",\"status\":\"CHARGED\"}";
    static final String FINGERPRINT = "1:" + "0123456789abcdef".repeat(4);
    private static final String CLAIM = """
            if redis.call('EXISTS', KEYS[1]) == 1 then
              return redis.call('HMGET', KEYS[1], 'op', 'fp', 'owner', 'state', 'lease', 'result')
            end
            redis.call('HSET', KEYS[1], 'op', ARGV[1], 'fp', ARGV[2], 'owner', ARGV[3], 'state', 'P', 'lease', ARGV[4])
            redis.call('PEXPIRE', KEYS[1], ARGV[5])
            return {}""";
    private static final String COMPLETE = """
            if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[1], 'state', 'C', 'result', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return 1""";
    private static final int PATIENCE_MILLIS = 500;

    private final RedisClient client;
    private final RedisCommands<String, String> redis;

    BareCommands(String uri) {
        client = RedisClient.create(uri);
        redis = client.connect().sync();
    }

    RedisCommands<String, String> redis() {
        return redis;
    }

    /** States, fences, clocks and checksums aside. */
    Turns.Side floor() {
        String claim = redis.scriptLoad(CLAIM);
        String complete = redis.scriptLoad(COMPLETE);
        return (key, first) -> {
            String[] keys = {"floor:" + RecordId.of("bench", null, null, key)};
            String owner = UUID.randomUUID().toString();
            List<String> found = redis.evalsha(
                    claim, ScriptOutputType.MULTI, keys, "bench-charge", FINGERPRINT, owner, "30000", "2592000000");
            if (found.isEmpty()) {
                redis.evalsha(complete, ScriptOutputType.INTEGER, keys, owner, RESULT, "86400000");
            }
        };
    }

    /** The same, where a replica has received each of the two changes. WAIT holds a connection up, so each caller has its own. */
    Turns.Side acknowledgedFloor() {
        String claim = redis.scriptLoad(CLAIM);
        String complete = redis.scriptLoad(COMPLETE);
        Queue<RedisAsyncCommands<String, String>> idle = new ConcurrentLinkedQueue<>();
        return (key, first) -> {
            String[] keys = {"acknowledged:" + RecordId.of("bench", null, null, key)};
            String owner = UUID.randomUUID().toString();
            RedisAsyncCommands<String, String> taken = idle.poll();
            RedisAsyncCommands<String, String> own =
                    taken == null ? client.connect().async() : taken;
            RedisFuture<List<String>> found = own.evalsha(
                    claim, ScriptOutputType.MULTI, keys, "bench-charge", FINGERPRINT, owner, "30000", "2592000000");
            if (first) {
                own.waitForReplication(1, PATIENCE_MILLIS).get();
                own.evalsha(complete, ScriptOutputType.INTEGER, keys, owner, RESULT, "86400000");
                own.waitForReplication(1, PATIENCE_MILLIS).get();
            }
            found.get();
            idle.add(own);
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
