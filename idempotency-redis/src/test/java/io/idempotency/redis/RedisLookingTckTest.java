package io.idempotency.redis;

/** The contract, where every claim looks first, and looks that come together share a command. */
final class RedisLookingTckTest extends RedisStoreTckTest {
    @Override
    String[] settings() {
        return LooksFirstTest.ALWAYS;
    }
}
