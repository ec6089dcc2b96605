package io.idempotency.redis;

/** The contract, where every claim and every outcome goes in a batch, be it of one. */
final class RedisBatchedTckTest extends RedisStoreTckTest {
    @Override
    String[] settings() {
        return InBatchesTest.ALWAYS;
    }
}
