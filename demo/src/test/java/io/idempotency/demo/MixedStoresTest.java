package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two stores side by side: payments in the database, events in Redis, by configuration alone. */
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MixedStoresTest implements TestPropertyProvider {

    @Inject
    EmbeddedServer server;

    @Inject
    @Named("jdbc")
    IdempotencyStore jdbc;

    @Inject
    @Named("redis")
    IdempotencyStore redis;

    @Override
    public Map<String, String> getProperties() {
        return Map.of("redis.uri", RedisServer.shared().uri(), "idempotency.operations.handle-event.store", "redis");
    }

    private static boolean knows(IdempotencyStore store, String operation, String key) {
        return store.find(RecordId.of(operation, null, null, key)).isPresent();
    }

    @Test
    void eachOperationIsRememberedInItsOwnStore() {
        Shop shop = new Shop(server.getURI());
        String key = UUID.randomUUID().toString();
        String event = "{\"id\":\"" + key + "\",\"type\":\"payment.settled\"}";
        shop.pay(key, "order", "5");
        shop.send(shop.post("/events", event));
        assertThat(Shop.replayed(shop.pay(key, "order", "5"))).isTrue();
        assertThat(Shop.replayed(shop.send(shop.post("/events", event)))).isTrue();

        assertThat(knows(jdbc, "charge-payment", key)).isTrue();
        assertThat(knows(redis, "charge-payment", key)).isFalse();
        assertThat(knows(redis, "handle-event", key)).isTrue();
        assertThat(knows(jdbc, "handle-event", key)).isFalse();
    }
}
