package io.idempotency.redis;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Connects when the store is asked for: an application that chose another store never touches Redis. */
@Factory
final class RedisStoreFactory {

    @Singleton
    @Named("redis")
    @Bean(preDestroy = "close")
    RedisIdempotencyStore redisStore(ApplicationContext context, RedisIdempotencyConfiguration configuration) {
        check(configuration);
        Connector.ConfiguredServer server = Connector.ConfiguredServer.find(context, configuration.getServer());
        Connector connector = new Connector(server, configuration);
        RedisIdempotencyStore store = connected(connector, configuration);
        try {
            store.prepare().toCompletableFuture().join();
            store.require(store.durability().toCompletableFuture().join());
            return store;
        } catch (CompletionException e) {
            store.close();
            throw server.unusable(e);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static RedisIdempotencyStore connected(Connector connector, RedisIdempotencyConfiguration configuration) {
        RedisConnection link = connector.connect();
        try {
            return new RedisIdempotencyStore(
                    link, configuration.getReplicaAcknowledgements() > 0 ? connector.connect() : null, configuration);
        } catch (RuntimeException e) {
            link.close();
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
        if (configuration.getBatchAbove() < -1) {
            throw refused("batch-above", configuration.getBatchAbove(), "Use 0 or more, or -1 for no batches.");
        }
        if (configuration.getLookFirstFrom() < -1 || configuration.getLookFirstFrom() > 100) {
            throw refused(
                    "look-first-from", configuration.getLookFirstFrom(), "Use 0 to 100 percent, or -1 for never.");
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
