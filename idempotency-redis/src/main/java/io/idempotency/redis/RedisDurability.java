package io.idempotency.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was asked of Redis and what it does, for health and for people.
 *
 * @param required {@code idempotency.redis.required-durability}, empty when it is not set
 * @param acknowledgements {@code idempotency.redis.replica-acknowledgements}
 * @param servers every server that holds records
 * @param replicas those that may take a server's place; they are asked only where a durability is required
 */
public record RedisDurability(
        Optional<DurabilityLevel> required,
        int acknowledgements,
        List<ServerDurability> servers,
        List<ServerDurability> replicas) {

    /** Keeps a copy of the servers. */
    public RedisDurability {
        servers = List.copyOf(servers);
        replicas = List.copyOf(replicas);
    }

    /**
     * What the store as a whole promises: the least of its servers, and of the replicas that were asked.
     *
     * @return the level
     */
    public DurabilityLevel actual() {
        return all().map(ServerDurability::level).min(Comparator.naturalOrder()).orElse(DurabilityLevel.NONE);
    }

    /**
     * Whether every server takes writes, is as durable as required, and has as many replicas as must acknowledge.
     *
     * @return true when nothing is missing
     */
    public boolean met() {
        return durable() && servers.stream().allMatch(server -> server.replicas() >= acknowledgements);
    }

    /**
     * Whether every server takes writes, and all of them and of the replicas are as durable as required. How many replicas
     * acknowledge shows with every change.
     *
     * @return true when claims are taken
     */
    public boolean durable() {
        return servers.stream().allMatch(ServerDurability::master) && all().allMatch(this::enough);
    }

    private boolean enough(ServerDurability server) {
        return server.level().compareTo(required.orElse(DurabilityLevel.NONE)) >= 0;
    }

    private Stream<ServerDurability> all() {
        return Stream.concat(servers.stream(), replicas.stream());
    }

    Optional<String> runIdOf(String name) {
        return servers.stream()
                .filter(server -> server.server().equals(name))
                .map(ServerDurability::runId)
                .findFirst();
    }

    boolean hasAsked(String runId) {
        return servers.stream().anyMatch(server -> server.runId().equals(runId));
    }

    /** What is missing, what follows from it, and what to do. */
    String problem(String consequence) {
        Optional<String> replica = servers.stream()
                .filter(server -> !server.master())
                .map(ServerDurability::server)
                .findFirst();
        if (replica.isPresent()) {
            return "The idempotency store 'redis' got connected to " + replica.get()
                    + ", which is a replica and takes no writes. " + consequence
                    + " Name the master in redis.uri, or Sentinel"
                    + " (redis-sentinel://host:26379/0#name-of-the-master), which knows it.";
        }
        String level = required.orElse(DurabilityLevel.NONE).setting();
        return "The idempotency store 'redis' requires durability " + level
                + " (idempotency.redis.required-durability) and " + acknowledgements
                + " replicas (idempotency.redis.replica-acknowledgements), but " + missing() + ". " + consequence
                + " On the server set appendonly yes, appendfsync "
                + (level.equals("always") ? "always" : "everysec")
                + ", no-appendfsync-on-rewrite no and maxmemory-policy noeviction, and connect the replicas; or require"
                + " less. A replica that shall never become master has replica-priority 0. Where CONFIG is not permitted,"
                + " say what you know of the server with idempotency.redis.assume-durability.";
    }

    private String missing() {
        Stream<String> masters = servers.stream()
                .filter(server -> !enough(server) || server.replicas() < acknowledgements)
                .map(server -> server.server() + " has " + server.level().setting() + " and " + server.replicas()
                        + " replicas (" + server.found() + ")");
        Stream<String> behind = replicas.stream()
                .filter(replica -> !enough(replica))
                .map(replica -> "the replica " + replica.server() + ", which may take its master's place, has "
                        + replica.level().setting() + " (" + replica.found() + ")");
        return Stream.concat(masters, behind).collect(Collectors.joining("; "));
    }

    String found() {
        return all().map(server -> server.server() + ": " + server.found()).collect(Collectors.joining("; "));
    }

    /** What an operator should know though nothing that was required is missing. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        servers.stream()
                .filter(ServerDurability::evicts)
                .forEach(server -> warnings.add("Redis at " + server.server()
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
