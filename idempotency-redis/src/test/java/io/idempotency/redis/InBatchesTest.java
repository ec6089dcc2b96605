package io.idempotency.redis;

import org.junit.jupiter.api.Nested;

/** What else holds where every claim and every outcome goes in a batch, be it of one; the contract itself: {@link RedisBatchedTckTest}. */
class InBatchesTest {

    static final String[] ALWAYS = {"idempotency.redis.batch-above", "0"};

    @Nested
    class Full extends FullServerTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

    @Nested
    class Foreign extends ForeignRecordTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

    @Nested
    class Golden extends GoldenRecordsTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

    @Nested
    class Index extends OpenIndexTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

    @Nested
    class Durability extends DurabilityWatchTest {
        @Override
        String batchAbove() {
            return "0";
        }
    }
}
