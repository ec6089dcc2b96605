package io.idempotency.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was asked of Redis and what it does, for health and for people.
 *
 * @param required {@code idempotency.redis.required-durability}, empty when it is not set
 * @param acknowledgements {@code idempotency.redis.replica-acknowledgements}
 * @param servers every server that holds records
 * @param replicas those that may take a server's place; they are asked only where a durability is required
 */
public record RedisDurability(
        Optional<DurabilityLevel> required, int acknowledgements, List<Server> servers, List<Server> replicas) {

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
        return all().map(Server::level).min(Comparator.naturalOrder()).orElse(DurabilityLevel.NONE);
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
        return servers.stream().allMatch(Server::master) && all().allMatch(this::enough);
    }

    private boolean enough(Server server) {
        return server.level().compareTo(required.orElse(DurabilityLevel.NONE)) >= 0;
    }

    private Stream<Server> all() {
        return Stream.concat(servers.stream(), replicas.stream());
    }

    Optional<String> runIdOf(String name) {
        return servers.stream()
                .filter(server -> server.server().equals(name))
                .map(server -> server.continuity().runId())
                .findFirst();
    }

    boolean hasAsked(String runId) {
        return servers.stream().anyMatch(server -> server.continuity().runId().equals(runId));
    }

    /** What is missing, what follows from it, and what to do. */
    String problem(String consequence) {
        Optional<String> replica = servers.stream()
                .filter(server -> !server.master())
                .map(Server::server)
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
                .filter(Server::evicts)
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

    /**
     * What one server that holds records does with them.
     *
     * @param server its address
     * @param master whether it takes writes
     * @param level what is left of them when it stops
     * @param replicas how many replicas are connected to it
     * @param evicts whether it removes keys when its memory is full, although their time is not over
     * @param continuity which process it is and which history of writes it continues
     * @param found the settings that the level was read off, for people
     */
    public record Server(
            String server,
            boolean master,
            DurabilityLevel level,
            int replicas,
            boolean evicts,
            Continuity continuity,
            String found) {

        /**
         * Judges a server by what it says.
         *
         * @param info its INFO, empty when it is not permitted
         * @param config its CONFIG, null when it is not permitted
         * @param assumed the operator's word for what cannot be read, null without one
         */
        static Server of(
                String server,
                Map<String, String> info,
                @Nullable Map<String, String> config,
                @Nullable DurabilityLevel assumed) {
            String policy = info.getOrDefault("maxmemory_policy", "unknown");
            boolean evicts = !info.getOrDefault("maxmemory", "0").equals("0") && !policy.equals("noeviction");
            DurabilityLevel level = persistence(info, config);
            boolean hidden = info.isEmpty() || config == null;
            if (hidden && assumed != null && assumed.compareTo(level) > 0) {
                level = assumed;
            }
            return new Server(
                    server,
                    info.getOrDefault("role", "master").equals("master"),
                    evicts ? DurabilityLevel.NONE : level,
                    Integer.parseInt(info.getOrDefault("connected_slaves", "0")),
                    evicts,
                    Continuity.of(info),
                    found(info, config, evicts, hidden ? assumed : null));
        }

        /** A replica that never answered; the operator's word counts as where CONFIG is not permitted. */
        static Server unreachable(String server, @Nullable DurabilityLevel assumed, Throwable failure) {
            DurabilityLevel level = Objects.requireNonNullElse(assumed, DurabilityLevel.NONE);
            return new Server(
                    server, false, level, 0, false, Continuity.of(Map.of()), "it could not be asked: " + failure);
        }

        private static DurabilityLevel persistence(Map<String, String> info, @Nullable Map<String, String> config) {
            boolean appends = "1".equals(info.get("aof_enabled"));
            if (config != null && appends) {
                return appendOnly(config);
            }
            boolean saves = config != null && !config.getOrDefault("save", "").isEmpty();
            return appends || saves ? DurabilityLevel.SNAPSHOT : DurabilityLevel.NONE;
        }

        private static DurabilityLevel appendOnly(Map<String, String> config) {
            if ("yes".equals(config.get("no-appendfsync-on-rewrite"))) {
                // while the file is rewritten it is not synchronised at all
                return DurabilityLevel.SNAPSHOT;
            }
            return switch (Objects.requireNonNullElse(config.get("appendfsync"), "no")) {
                case "always" -> DurabilityLevel.ALWAYS;
                case "everysec" -> DurabilityLevel.EVERY_SECOND;
                default -> DurabilityLevel.SNAPSHOT;
            };
        }

        private static String found(
                Map<String, String> info,
                @Nullable Map<String, String> config,
                boolean evicts,
                @Nullable DurabilityLevel assumed) {
            String running = info.isEmpty()
                    ? "INFO is not permitted"
                    : "appendonly " + ("1".equals(info.get("aof_enabled")) ? "yes" : "no") + ", maxmemory-policy "
                            + info.getOrDefault("maxmemory_policy", "unknown")
                            + (evicts ? " with a maxmemory" : "");
            String configured = config == null
                    ? "CONFIG is not permitted"
                    : "appendfsync " + config.get("appendfsync") + ", no-appendfsync-on-rewrite "
                            + config.get("no-appendfsync-on-rewrite") + ", save '" + config.get("save") + '\'';
            String word = assumed == null ? "" : ", idempotency.redis.assume-durability " + assumed.setting();
            return running + ", " + configured + word;
        }
    }
}
