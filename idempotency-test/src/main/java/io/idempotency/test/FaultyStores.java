package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts a {@link FaultyStore} in front of each store of the application under test. */
@Singleton
@Requires(property = TestKitProperties.ENABLED, value = "true")
final class FaultyStores implements StoreDecorator {

    private final Map<String, FaultyStore> stores = new ConcurrentHashMap<>();

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        return stores.computeIfAbsent(store.name(), name -> new FaultyStore(store));
    }

    @Nullable
    FaultyStore named(String name) {
        return stores.get(name);
    }

    Iterable<FaultyStore> all() {
        return stores.values();
    }
}
