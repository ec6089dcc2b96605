package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.IdempotencyStoreTck;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("any-jdk")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisStoreTckTest extends IdempotencyStoreTck {

    private RedisApplication application;
    RedisCommands<String, String> redis;

    @BeforeAll
    void start() {
        application = RedisApplication.on(RedisServer.shared().uri());
        redis = application.redis();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @Override
    protected IdempotencyStore store() {
        return application.store();
    }

    @Override
    protected Instant storeTime() {
        List<String> time = redis.time();
        return Instant.ofEpochSecond(Long.parseLong(time.get(0))).plus(Long.parseLong(time.get(1)), ChronoUnit.MICROS);
    }

    @Override
    protected void raiseFence(RecordId id, long fence) {
        change(id, record -> record.forged(Packed.Number.FENCE, fence));
    }

    @Override
    protected void moveLease(RecordId id, Duration by) {
        Packed.Number end = Packed.Number.LEASE_UNTIL_MS;
        change(id, record -> record.forged(end, record.get(end) + by.toMillis()));
    }

    private void change(RecordId id, UnaryOperator<Packed> change) {
        String key =
                "idempotency:{" + id.value().substring(0, 2) + '}' + id.value().substring(2);
        redis.set(key, change.apply(Packed.of(redis.get(key))).text(), SetArgs.Builder.keepttl());
    }

    @Override
    protected void limitResults(int bytes) {
        redis.configSet("proto-max-bulk-len", Integer.toString(Math.min(bytes, 512 << 20)));
    }
}
