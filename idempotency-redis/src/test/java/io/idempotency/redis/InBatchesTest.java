package io.idempotency.redis;

import org.junit.jupiter.api.Nested;

/** What the store promises, where every claim and every outcome goes in a batch, be it of one. */
class InBatchesTest {

    private static final String[] ALWAYS = {"idempotency.redis.batch-above", "0"};

    @Nested
    class Contract extends RedisStoreTckTest {
        @Override
        String[] settings() {
            return ALWAYS;
        }
    }

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
