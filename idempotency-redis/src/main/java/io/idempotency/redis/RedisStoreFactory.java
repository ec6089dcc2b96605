package io.idempotency.redis;

import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.lettuce.core.RedisException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Connects when the store is asked for, so that an application that chose another store never touches Redis. */
@Factory
final class RedisStoreFactory {

    @Singleton
    @Named("redis")
    @Bean(preDestroy = "close")
    RedisIdempotencyStore redisStore(
            ApplicationContext context,
            RedisIdempotencyConfiguration configuration,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        check(configuration);
        ConfiguredServer server =
                ConfiguredServer.find(context, configuration.getServer().orElse("default"));
        RedisConnection link = server.connect(configuration.getConnectTimeout());
        RedisIdempotencyStore store = new RedisIdempotencyStore(link, configuration, alarm::publishEvent);
        try {
            store.start();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e instanceof RedisException ? server.unusable(e) : e;
        }
    }

    private static void check(RedisIdempotencyConfiguration configuration) {
        Duration wait = configuration.getReplicaAcknowledgementTimeout();
        if (configuration.getReplicaAcknowledgements() > 0 && wait.compareTo(configuration.getCommandTimeout()) >= 0) {
            throw new ConfigurationException("idempotency.redis.replica-acknowledgement-timeout is " + wait
                    + ". It must be shorter than command-timeout, which is " + configuration.getCommandTimeout() + ".");
        }
    }
}
