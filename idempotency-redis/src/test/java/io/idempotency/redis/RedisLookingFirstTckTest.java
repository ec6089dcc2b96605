package io.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The store while most calls are replays, so that every claim begins with a look. */
final class RedisLookingFirstTckTest extends RedisStoreTckTest {

    @BeforeAll
    void settle() {
        IdempotencyStore store = super.store();
        Calls.get(
                store.complete(Calls.acquired(store, Calls.claim("looked up")), Calls.result("done"), Calls.RETENTION));
    }

    @Override
    protected IdempotencyStore store() {
        return new ForwardingStore(super.store()) {
            @Override
            public ClaimResult claim(Claim claim) {
                IntStream.range(0, 40).forEach(i -> super.claim(Calls.claim("looked up")));
                return super.claim(claim);
            }
        };
    }

    @Test
    void aKeyOfAnotherTypeIsUnreadable() {
        redis.rpush(Calls.key("a list"), "not", "a record");
        assertThatThrownBy(() -> store().claim(Calls.claim("a list"))).isInstanceOf(UnreadableRecordException.class);
    }
}
