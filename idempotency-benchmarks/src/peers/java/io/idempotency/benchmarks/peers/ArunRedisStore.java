package io.idempotency.benchmarks.peers;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/** arun0009 3.1 on Redis: GET, SET where there is nothing, SET where there is something. */
final class ArunRedisStore implements ArunStore {

    private final RedisTemplate<Key, Value> redis = new RedisTemplate<>();

    ArunRedisStore(RedisConnectionFactory connection) {
        redis.setConnectionFactory(connection);
        redis.setKeySerializer(new ArunJson.Serializer<>(Key.class));
        redis.setValueSerializer(new ArunJson.Serializer<>(Value.class));
        redis.afterPropertiesSet();
    }

    @Override
    public @Nullable Value find(Key key, Class<?> returnType) {
        return redis.opsForValue().get(key);
    }

    @Override
    public boolean insert(Key key, Value value) {
        return Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, value, left(value), TimeUnit.MILLISECONDS));
    }

    @Override
    public void update(Key key, Value value) {
        redis.opsForValue().setIfPresent(key, value, left(value), TimeUnit.MILLISECONDS);
    }

    private static long left(Value value) {
        return Duration.between(Instant.now(), value.expiresAt()).toMillis();
    }
}
