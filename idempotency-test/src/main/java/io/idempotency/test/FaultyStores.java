package io.idempotency.test;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts a {@link FaultyStore} in front of each store of the application under test. */
@Singleton
@Requires(property = TestKitProperties.ENABLED, value = "true")
final class FaultyStores implements StoreDecorator {

    final Map<String, FaultyStore> stores = new ConcurrentHashMap<>();

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        return stores.computeIfAbsent(store.name(), name -> new FaultyStore(store));
    }

    FaultyStore named(String name) {
        FaultyStore store = stores.get(name);
        if (store == null) {
            throw new IllegalStateException(
                    "Store '" + name + "' has no name of its own: its name() is that of another bean");
        }
        return store;
    }
}
