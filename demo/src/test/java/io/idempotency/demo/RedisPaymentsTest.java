package io.idempotency.demo;

import io.idempotency.test.servers.RedisServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** Keys in Redis, payments in H2. */
@Tag("thorough")
@MicronautTest(transactional = false, environments = "redis")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisPaymentsTest extends PaymentScenarios implements TestPropertyProvider {

    @Override
    public Map<String, String> getProperties() {
        return Map.of("redis.uri", RedisServer.shared().uri());
    }
}
