package io.idempotency.redis;

import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;

/** Refuses values that cannot be meant, with the name of the property. */
final class Settings {

    private Settings() {}

    static void check(RedisIdempotencyConfiguration configuration) {
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
