package io.idempotency.runtime.near;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.util.StringUtils;
import jakarta.inject.Singleton;
import java.util.List;

/** Puts a {@link NearStore} in front of each store, and of what else is in front of it: nobody behind is asked for a hit. */
@Singleton
@Requires(property = NearCacheConfiguration.ENABLED, value = StringUtils.TRUE)
@Requires(classes = Caffeine.class)
final class NearCaches implements StoreDecorator, Ordered {

    private final NearCacheConfiguration configuration;
    private final ElapsedTime time;
    private final List<NearCacheListener> listeners;

    NearCaches(NearCacheConfiguration configuration, ElapsedTime time, List<NearCacheListener> listeners) {
        this.configuration = configuration;
        this.time = time;
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public IdempotencyStore decorate(IdempotencyStore store) {
        require("max-weight", configuration.getMaxWeight() > 0);
        require("time-limit", configuration.getTimeLimit().toNanos() > 0);
        String name = store.name();
        return new NearStore(
                store,
                configuration.getMaxWeight(),
                configuration.getTimeLimit(),
                time::nanos,
                () -> Listeners.tell(listeners, name, listener -> listener.onHit(name)));
    }

    private static void require(String property, boolean fulfilled) {
        if (!fulfilled) {
            throw new ConfigurationException(
                    NearCacheConfiguration.PREFIX + '.' + property + " must be more than zero");
        }
    }
}
