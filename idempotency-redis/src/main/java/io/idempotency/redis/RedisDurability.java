package io.idempotency.redis;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What was asked of Redis and what it does, for health and for people.
 *
 * @param required {@code idempotency.redis.required-durability}, empty when it is not set
 * @param acknowledgements {@code idempotency.redis.replica-acknowledgements}
 * @param servers every server that holds records; replicas are not asked
 */
public record RedisDurability(
        Optional<DurabilityLevel> required, int acknowledgements, List<ServerDurability> servers) {

    /** Keeps a copy of the servers. */
    public RedisDurability {
        servers = List.copyOf(servers);
    }

    /**
     * What the store as a whole promises: the least of its servers.
     *
     * @return the level
     */
    public DurabilityLevel actual() {
        return servers.stream()
                .map(ServerDurability::level)
                .min(Comparator.naturalOrder())
                .orElse(DurabilityLevel.NONE);
    }

    /**
     * Whether every server takes writes, is as durable as required, and has as many replicas as must acknowledge.
     *
     * @return true when nothing is missing
     */
    public boolean met() {
        return servers.stream().allMatch(this::met);
    }

    /**
     * Whether one server meets the requirements.
     *
     * @param server one of {@link #servers()}
     * @return true when nothing is missing
     */
    public boolean met(ServerDurability server) {
        return server.master()
                && server.level().compareTo(required.orElse(DurabilityLevel.NONE)) >= 0
                && server.replicas() >= acknowledgements;
    }
}
