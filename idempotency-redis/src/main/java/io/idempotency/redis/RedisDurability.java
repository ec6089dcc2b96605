package io.idempotency.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The required and the actual durability of the records in Redis.
 *
 * @param servers the masters
 * @param replicas of which some may take a master's place; empty where no durability is required
 * @param askedAt when the masters were asked, by the clock of this JVM
 * @param answeredNanos when all had answered, by its monotonic clock
 */
record RedisDurability(
        RedisIdempotencyConfiguration configuration,
        DurabilityLevel required,
        List<AskedServer> servers,
        List<AskedServer> replicas,
        Instant askedAt,
        long answeredNanos) {

    /** Returns the lowest level of the masters and of the replicas that were asked. */
    DurabilityLevel actual() {
        return all().map(AskedServer::level).min(Comparator.naturalOrder()).orElse(DurabilityLevel.NONE);
    }

    /** Tells whether the servers are {@link #durable()}, and have as many replicas as must acknowledge. */
    boolean met() {
        return durable() && servers.stream().allMatch(this::replicated);
    }

    /** Tells whether masters take writes and all servers asked are as durable as required: else claims are refused. */
    boolean durable() {
        return servers.stream().allMatch(AskedServer::isMaster) && all().allMatch(this::enough);
    }

    private boolean enough(AskedServer server) {
        return server.level().compareTo(required) >= 0;
    }

    private boolean replicated(AskedServer server) {
        return server.replicas() >= configuration.getReplicaAcknowledgements();
    }

    /** Returns how many replicas the master with the fewest has. */
    int connectedReplicas() {
        return servers.stream().mapToInt(AskedServer::replicas).min().orElse(0);
    }

    private Stream<AskedServer> all() {
        return Stream.concat(servers.stream(), replicas.stream().filter(AskedServer::mayBeMaster));
    }

    boolean hasAsked(String runId) {
        return servers.stream().anyMatch(server -> server.runId().equals(runId));
    }

    /** Describes what is missing, the consequence, and what to do. */
    String problem(String consequence) {
        for (AskedServer server : servers) {
            if (!server.isMaster()) {
                return "The idempotency store 'redis' got connected to " + server.name()
                        + ", which is a replica and takes no writes. " + consequence
                        + " Name the master in redis.uri, or Sentinel"
                        + " (redis-sentinel://host:26379/0#name-of-the-master), which knows it.";
            }
        }
        return "The idempotency store 'redis' requires durability " + required
                + " (idempotency.redis.required-durability) and " + configuration.getReplicaAcknowledgements()
                + " replicas (idempotency.redis.replica-acknowledgements), but " + missing() + ". " + consequence
                + " On the server set appendonly yes, appendfsync "
                + (required == DurabilityLevel.ALWAYS ? "always" : "everysec")
                + ", no-appendfsync-on-rewrite no and maxmemory-policy noeviction, and connect the replicas; or require"
                + " less. A replica that shall never become master has replica-priority 0. Where CONFIG is not permitted,"
                + " say what you know of the server with idempotency.redis.assume-durability.";
    }

    private String missing() {
        Stream<String> less = servers.stream()
                .filter(server -> !enough(server) || !replicated(server))
                .map(server -> server.name() + " has " + server.level() + " and " + server.replicas() + " replicas ("
                        + server.found() + ")");
        Stream<String> behind = replicas.stream()
                .filter(replica -> replica.mayBeMaster() && !enough(replica))
                .map(replica -> "the replica " + replica.name() + ", which may take its master's place, has "
                        + replica.level() + " (" + replica.found() + ")");
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
        if (configuration.getRequiredDurability().isEmpty() && actual().compareTo(DurabilityLevel.EVERY_SECOND) < 0) {
            warnings.add("Redis may forget idempotency records when it restarts (durability "
                    + actual() + ": " + found()
                    + "), and then their operations run again. Set appendonly yes and appendfsync everysec or always, or"
                    + " declare idempotency.redis.required-durability: " + actual()
                    + " if that is acceptable.");
        }
        return warnings;
    }
}
