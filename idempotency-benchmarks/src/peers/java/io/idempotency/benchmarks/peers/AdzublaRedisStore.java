package io.idempotency.benchmarks.peers;

import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** adzubla on Redis: a hash that one script reserves and another completes; a replay is the first one and HGETALL. */
final class AdzublaRedisStore implements AdzublaStore {

    private static final RedisScript<Long> RESERVE = RedisScript.of("""
            if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
            redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'token', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return 1""", Long.class);

    /** The original removes the body of an answer that is too long, in another branch. */
    private static final RedisScript<Long> COMPLETE = RedisScript.of("""
            if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
            redis.call('HSET', KEYS[1], 'status', ARGV[2], 'headers', ARGV[3], 'body', ARGV[4])
            redis.call('PEXPIRE', KEYS[1], ARGV[5])
            return 1""", Long.class);

    private final StringRedisTemplate redis;

    AdzublaRedisStore(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @Override
    public Reservation reserve(Key key, String fingerprint) {
        String name = name(key);
        String token = UUID.randomUUID().toString();
        if (Objects.equals(1L, redis.execute(RESERVE, List.of(name), fingerprint, token, "30000"))) {
            return new Reservation(token, null, null);
        }
        Map<String, String> found = redis.<String, String>opsForHash().entries(name);
        String status = found.get("status");
        return new Reservation(
                null,
                found.get("fingerprint"),
                status == null
                        ? null
                        : new Answer(
                                Integer.parseInt(status),
                                Headers.read(found.get("headers")),
                                Base64.getDecoder().decode(Objects.requireNonNull(found.get("body")))));
    }

    @Override
    public void complete(Key key, String token, Answer answer) {
        redis.execute(
                COMPLETE,
                List.of(name(key)),
                token,
                String.valueOf(answer.status()),
                Headers.write(answer.headers()),
                Base64.getEncoder().encodeToString(answer.body()),
                "86400000");
    }

    private static String name(Key key) {
        return "idempotency:"
                + HexFormat.of()
                        .formatHex(Adzubla.digest(
                                Adzubla.bytes(key.method()),
                                Adzubla.bytes(key.path()),
                                Adzubla.bytes(key.principal()),
                                Adzubla.bytes(key.value())));
    }
}
