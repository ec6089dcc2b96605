package io.idempotency.runtime.near;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.util.StringUtils;
import jakarta.inject.Singleton;

/** Stops the start: whoever switched the cache on counts on it. */
@Singleton
@Requires(property = NearCacheConfiguration.ENABLED, value = StringUtils.TRUE)
@Requires(missingClasses = "com.github.benmanes.caffeine.cache.Caffeine")
final class NearCacheWithoutCaffeine implements StoreDecorator {

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        throw new ConfigurationException(NearCacheConfiguration.ENABLED
                + " is true, and Caffeine is not on the class path. Add com.github.ben-manes.caffeine:caffeine to the"
                + " application, or remove the property.");
    }
}
