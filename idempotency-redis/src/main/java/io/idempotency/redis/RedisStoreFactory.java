package io.idempotency.redis;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Connects when the store is asked for: an application that chose another store never touches Redis. */
@Factory
final class RedisStoreFactory {

    @Singleton
    @Named("redis")
    @Bean(preDestroy = "close")
    RedisIdempotencyStore redisStore(ApplicationContext context, RedisIdempotencyConfiguration configuration) {
        RedisServer server = RedisServer.find(context, configuration.getServer());
        RedisLink link = new Connector(server, configuration).connect();
        RedisIdempotencyStore store = new RedisIdempotencyStore(link, configuration);
        store.prepare().toCompletableFuture().join();
        return store;
    }
}
