package io.idempotency.redis;

import io.micronaut.context.exceptions.ConfigurationException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares at start-up what Redis does with what was asked of it, and says so. */
final class DurabilityCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    private DurabilityCheck() {}

    static void require(RedisDurability durability) {
        if (!durability.met()) {
            throw new ConfigurationException(refusal(durability));
        }
        for (ServerDurability server : durability.servers()) {
            if (server.evicts()) {
                LOG.warn(
                        "Redis at {} removes idempotency records when its memory is full ({}), and then their operations"
                                + " run again. Set maxmemory-policy noeviction, or keep the records on a server of their"
                                + " own (idempotency.redis.server).",
                        server.server(),
                        server.found());
            }
        }
        DurabilityLevel actual = durability.actual();
        if (durability.required().isEmpty() && actual.compareTo(DurabilityLevel.EVERY_SECOND) < 0) {
            LOG.warn(
                    "Redis may forget idempotency records when it restarts (durability {}: {}), and then their"
                            + " operations run again. Set appendonly yes and appendfsync everysec or always, or declare"
                            + " idempotency.redis.required-durability: {} if that is acceptable.",
                    actual.setting(),
                    found(durability),
                    actual.setting());
        } else {
            LOG.info("Idempotency records are in Redis, durability {} ({})", actual.setting(), found(durability));
        }
    }

    private static String refusal(RedisDurability durability) {
        Optional<String> replica = durability.servers().stream()
                .filter(server -> !server.master())
                .map(ServerDurability::server)
                .findFirst();
        if (replica.isPresent()) {
            return "The idempotency store 'redis' got connected to " + replica.get()
                    + ", which is a replica and takes no"
                    + " writes. The application does not start. Name the master in redis.uri, or Sentinel"
                    + " (redis-sentinel://host:26379/0#name-of-the-master), which knows it.";
        }
        String level = durability.required().orElse(DurabilityLevel.NONE).setting();
        String found = durability.servers().stream()
                .filter(server -> !durability.met(server))
                .map(server -> server.server() + " has " + server.level().setting() + " and " + server.replicas()
                        + " replicas (" + server.found() + ")")
                .collect(Collectors.joining("; "));
        return "The idempotency store 'redis' requires durability " + level
                + " (idempotency.redis.required-durability) and " + durability.acknowledgements()
                + " replicas (idempotency.redis.replica-acknowledgements), but " + found
                + ". The application does not start. On the server set appendonly yes, appendfsync "
                + (level.equals("always") ? "always" : "everysec")
                + ", no-appendfsync-on-rewrite no and maxmemory-policy noeviction, and connect the replicas; or require"
                + " less. Where CONFIG is not permitted, say what you know of the server with"
                + " idempotency.redis.assume-durability.";
    }

    private static String found(RedisDurability durability) {
        return durability.servers().stream()
                .map(server -> server.server() + ": " + server.found())
                .collect(Collectors.joining("; "));
    }
}
