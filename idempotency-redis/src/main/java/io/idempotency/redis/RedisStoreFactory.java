package io.idempotency.redis;

import io.idempotency.redis.connection.ConfiguredServer;
import io.idempotency.redis.connection.RedisConnection;
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

/** Connects when the store is asked for: an application that chose another store never touches Redis. */
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
        } catch (RedisException e) {
            store.close();
            throw server.unusable(e);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Refuses values that cannot be meant, with the name of the property. */
    private static void check(RedisIdempotencyConfiguration configuration) {
        positive("command-timeout", configuration.getCommandTimeout());
        positive("connect-timeout", configuration.getConnectTimeout());
        positive("durability-check-interval", configuration.getDurabilityCheckInterval());
        positive("replica-acknowledgement-timeout", configuration.getReplicaAcknowledgementTimeout());
        if (configuration.getReplicaAcknowledgements() < 0) {
            throw refused("replica-acknowledgements", configuration.getReplicaAcknowledgements(), "Use 0 or more.");
        }
        if (configuration.getReplicaAcknowledgements() > 0
                && configuration.getReplicaAcknowledgementTimeout().compareTo(configuration.getCommandTimeout()) >= 0) {
            throw refused(
                    "replica-acknowledgement-timeout",
                    configuration.getReplicaAcknowledgementTimeout(),
                    "It must be shorter than command-timeout, which is " + configuration.getCommandTimeout() + ".");
        }
    }

    private static void positive(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw refused(name, value, "Use at least one millisecond.");
        }
    }

    private static ConfigurationException refused(String name, Object value, String rule) {
        return new ConfigurationException(
                RedisIdempotencyConfiguration.PREFIX + '.' + name + " is " + value + ". " + rule);
    }
}
