package io.idempotency.redis;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletionException;

/** Connects when the store is asked for: an application that chose another store never touches Redis. */
@Factory
final class RedisStoreFactory {

    @Singleton
    @Named("redis")
    @Bean(preDestroy = "close")
    RedisIdempotencyStore redisStore(ApplicationContext context, RedisIdempotencyConfiguration configuration) {
        Settings.check(configuration);
        ConfiguredServer server = ConfiguredServer.find(context, configuration.getServer());
        RedisConnection link = new Connector(server, configuration).connect();
        try {
            RedisIdempotencyStore store = new RedisIdempotencyStore(link, configuration);
            store.prepare().toCompletableFuture().join();
            store.require(store.durability().toCompletableFuture().join());
            return store;
        } catch (CompletionException e) {
            link.close();
            throw server.unusable(e);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }
}
