package io.idempotency.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The required and the actual durability of the records in Redis. */
public final class RedisDurability {

    private final Optional<DurabilityLevel> required;
    private final int acknowledgements;
    private final List<AskedServer> servers;
    private final List<AskedServer> replicas;

    /**
     * Compares the masters, and the replicas that may take their place, with the requirements.
     *
     * @param replicas empty where no durability is required
     */
    RedisDurability(
            RedisIdempotencyConfiguration configuration, List<AskedServer> servers, List<AskedServer> replicas) {
        this.required = configuration.getRequiredDurability();
        this.acknowledgements = configuration.getReplicaAcknowledgements();
        this.servers = servers;
        this.replicas = replicas;
    }

    /** Returns {@code idempotency.redis.required-durability}, empty where it is not set. */
    public Optional<DurabilityLevel> required() {
        return required;
    }

    private DurabilityLevel least() {
        return required.orElse(DurabilityLevel.NONE);
    }

    /** Returns the lowest level of the masters and of the replicas that were asked. */
    public DurabilityLevel actual() {
        return all().map(AskedServer::level).min(Comparator.naturalOrder()).orElse(DurabilityLevel.NONE);
    }

    /** Tells whether the servers are {@link #durable()}, and have as many replicas as must acknowledge. */
    public boolean met() {
        return durable() && servers.stream().allMatch(server -> server.replicas() >= acknowledgements);
    }

    /** Tells whether masters take writes and all servers asked are as durable as required: else claims are refused. */
    public boolean durable() {
        return servers.stream().allMatch(AskedServer::isMaster) && all().allMatch(this::enough);
    }

    private boolean enough(AskedServer server) {
        return server.level().compareTo(least()) >= 0;
    }

    private Stream<AskedServer> all() {
        return Stream.concat(servers.stream(), replicas.stream());
    }

    List<AskedServer> servers() {
        return servers;
    }

    boolean hasAsked(String runId) {
        return servers.stream().anyMatch(server -> server.runId().equals(runId));
    }

    /** Describes what is missing, the consequence, and what to do. */
    String problem(String consequence) {
        Stream<AskedServer> readOnly = servers.stream().filter(server -> !server.isMaster());
        String replica = readOnly.map(AskedServer::name).findFirst().orElse("");
        if (!replica.isEmpty()) {
            return "The idempotency store 'redis' got connected to " + replica
                    + ", which is a replica and takes no writes. " + consequence
                    + " Name the master in redis.uri, or Sentinel"
                    + " (redis-sentinel://host:26379/0#name-of-the-master), which knows it.";
        }
        return "The idempotency store 'redis' requires durability " + least().setting()
                + " (idempotency.redis.required-durability) and " + acknowledgements
                + " replicas (idempotency.redis.replica-acknowledgements), but " + missing() + ". " + consequence
                + " On the server set appendonly yes, appendfsync "
                + (least() == DurabilityLevel.ALWAYS ? "always" : "everysec")
                + ", no-appendfsync-on-rewrite no and maxmemory-policy noeviction, and connect the replicas; or require"
                + " less. A replica that shall never become master has replica-priority 0. Where CONFIG is not permitted,"
                + " say what you know of the server with idempotency.redis.assume-durability.";
    }

    private String missing() {
        Stream<String> less = servers.stream()
                .filter(server -> !enough(server) || server.replicas() < acknowledgements)
                .map(server -> server.name() + " has " + server.level().setting() + " and " + server.replicas()
                        + " replicas (" + server.found() + ")");
        Stream<String> behind = replicas.stream()
                .filter(replica -> !enough(replica))
                .map(replica -> "the replica " + replica.name() + ", which may take its master's place, has "
                        + replica.level().setting() + " (" + replica.found() + ")");
        return Stream.concat(less, behind).collect(Collectors.joining("; "));
    }

    String found() {
        return all().map(server -> server.name() + ": " + server.found()).collect(Collectors.joining("; "));
    }

    /** Returns what an operator should know although the requirements are met. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        servers.stream()
                .filter(AskedServer::evicts)
                .forEach(server -> warnings.add("Redis at " + server.name()
                        + " removes idempotency records when its memory is full (" + server.found()
                        + "), and then their operations run again. Set maxmemory-policy noeviction, or keep the records on"
                        + " a server of their own (idempotency.redis.server)."));
        if (required.isEmpty() && actual().compareTo(DurabilityLevel.EVERY_SECOND) < 0) {
            warnings.add("Redis may forget idempotency records when it restarts (durability "
                    + actual().setting() + ": " + found()
                    + "), and then their operations run again. Set appendonly yes and appendfsync everysec or always, or"
                    + " declare idempotency.redis.required-durability: " + actual().setting()
                    + " if that is acceptable.");
        }
        return warnings;
    }
}
