package io.idempotency.benchmarks;

import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
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
    private static final String SAFE_CLAIM = """
            local value = redis.call('GET', KEYS[1])
            if value then return value end
            local time = redis.call('TIME')
            local fence = time[1] .. '.' .. time[2] .. ' '
            redis.call('SET', KEYS[1], 'P' .. fence .. ARGV[1] .. time[1] + ARGV[2], 'PX', ARGV[3])
            redis.call('ZADD', KEYS[2], time[1], KEYS[1])
            return fence""";
    private static final String SAFE_COMPLETE = """
            local value = redis.call('GET', KEYS[1])
            if not value or string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
            redis.call('SET', KEYS[1], 'C' .. string.sub(value, 2) .. ARGV[2], 'PX', ARGV[3])
            redis.call('ZREM', KEYS[2], KEYS[1])
            return 1""";
    private static final String RESERVE = """
            if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
            redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'token', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return 1""";
    private static final String ANSWER = """
            if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[1], 'status', '200', 'headers', '{}', 'body', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return 1""";
    private static final int PATIENCE_MILLIS = 500;
    private static final SetArgs NEW = SetArgs.Builder.nx().px(86_400_000);
    private static final SetArgs OLD = SetArgs.Builder.xx().px(86_400_000);

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

    /**
     * The least that keeps the promises of a call that succeeds: the server's time in fence and lease, an outcome that only the
     * owner can record, an index of what is open. A replay is a plain look.
     */
    Turns.Side safe() {
        String claim = redis.scriptLoad(SAFE_CLAIM);
        String complete = redis.scriptLoad(SAFE_COMPLETE);
        return (key, first) -> {
            String id = RecordId.of("bench", null, null, key).value();
            String[] keys = {
                "safe:{" + id.substring(0, 2) + '}' + id.substring(2), "safe:{" + id.substring(0, 2) + "}open"
            };
            if (!first) {
                redis.get(keys[0]);
                return;
            }
            String who = UUID.randomUUID() + " bench-charge " + FINGERPRINT + ' ';
            String fence = redis.evalsha(claim, ScriptOutputType.VALUE, keys, who, "30", "2592000000");
            redis.evalsha(complete, ScriptOutputType.INTEGER, keys, 'P' + fence + who, RESULT, "86400000");
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

    /** A look, a SET of what is in progress where there is nothing, and a SET of the result where that is; a replay is the look. */
    Turns.Side arun() {
        return (key, first) -> {
            String name = "arun:" + key;
            if (redis.get(name) == null && redis.set(name, "{\"status\":\"INPROGRESS\"}", NEW) != null) {
                redis.set(name, RESULT, OLD);
            }
        };
    }

    /** A script that reserves a hash and one that completes it; a replay is the first one and HGETALL. */
    Turns.Side adzubla() {
        String reserve = redis.scriptLoad(RESERVE);
        String answer = redis.scriptLoad(ANSWER);
        return (key, first) -> {
            String[] keys = {"adzubla:" + key};
            String token = UUID.randomUUID().toString();
            Long reserved = redis.evalsha(reserve, ScriptOutputType.INTEGER, keys, FINGERPRINT, token, "30000");
            if (reserved == 1) {
                redis.evalsha(answer, ScriptOutputType.INTEGER, keys, token, RESULT, "86400000");
            } else {
                redis.hgetall(keys[0]);
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
