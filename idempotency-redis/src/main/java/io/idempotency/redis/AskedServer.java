package io.idempotency.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One server's answers to INFO and CONFIG, empty where not permitted, and the durability that follows from them.
 *
 * @param assumed the durability that the operator states for a server that does not tell
 */
record AskedServer(
        String name, Map<String, String> info, Map<String, String> config, Optional<DurabilityLevel> assumed) {

    private static final String NO_HISTORY = "0".repeat(40);
    private static final String FAILURE = "failure";

    /** Returns a replica that never answered. The operator's statement counts for it. */
    static AskedServer unreachable(String name, Optional<DurabilityLevel> assumed, Throwable failure) {
        return new AskedServer(name, Map.of("role", "slave", FAILURE, failure.toString()), Map.of(), assumed);
    }

    static Optional<AskedServer> named(String name, List<AskedServer> servers) {
        return servers.stream().filter(server -> server.name.equals(name)).findFirst();
    }

    /** Reads lines that each have a name, the separator and a value. */
    static Map<String, String> pairs(Stream<String> lines, String separator) {
        return lines.map(line -> line.split(separator, 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].trim(), (first, again) -> first));
    }

    private String said(String what, String otherwise) {
        return info.getOrDefault(what, otherwise);
    }

    boolean isMaster() {
        return said("role", "master").equals("master");
    }

    /** Tells whether a replica may become a master. Sentinel promotes none of priority 0; a cluster promotes any. */
    boolean mayBeMaster() {
        return !said("slave_priority", "").equals("0")
                || said("cluster_enabled", "").equals("1");
    }

    int replicas() {
        return Integer.parseInt(said("connected_slaves", "0"));
    }

    /** Returns the connected replicas, which INFO lists like {@code slave0:ip=10.0.0.7,port=6379,state=online,...}. */
    Stream<Map<String, String>> listedReplicas() {
        return info.entrySet().stream()
                .filter(line -> line.getKey().matches("slave\\d+"))
                .map(line -> pairs(Arrays.stream(line.getValue().split(",", -1)), "="));
    }

    /** Returns the id of the server's process; empty where INFO is not permitted. */
    String runId() {
        return said("run_id", "");
    }

    /** Tells whether the server removes keys before they expire when its memory is full. */
    boolean evicts() {
        return !said("maxmemory", "0").equals("0")
                && !said("maxmemory_policy", "unknown").equals("noeviction");
    }

    private boolean appends() {
        return said("aof_enabled", "0").equals("1");
    }

    private boolean isHidden() {
        return info.isEmpty() || config.isEmpty();
    }

    DurabilityLevel level() {
        DurabilityLevel level = evicts() ? DurabilityLevel.NONE : persistence();
        return assumed.filter(more -> isHidden() && !evicts() && more.compareTo(level) > 0)
                .orElse(level);
    }

    private DurabilityLevel persistence() {
        if (!appends()) {
            return config.getOrDefault("save", "").isEmpty() ? DurabilityLevel.NONE : DurabilityLevel.SNAPSHOT;
        }
        // while the append-only file is rewritten, it may not be synchronised at all
        boolean paused = "yes".equals(config.get("no-appendfsync-on-rewrite"));
        return switch (paused ? "no" : config.getOrDefault("appendfsync", "no")) {
            case "always" -> DurabilityLevel.ALWAYS;
            case "everysec" -> DurabilityLevel.EVERY_SECOND;
            default -> DurabilityLevel.SNAPSHOT;
        };
    }

    /** Describes the settings from which the level follows. */
    String found() {
        if (info.containsKey(FAILURE)) {
            return "it could not be asked: " + info.get(FAILURE);
        }
        String running = info.isEmpty()
                ? "INFO is not permitted"
                : "appendonly " + (appends() ? "yes" : "no") + ", maxmemory-policy "
                        + said("maxmemory_policy", "unknown") + (evicts() ? " with a maxmemory" : "");
        String configured = config.isEmpty()
                ? "CONFIG is not permitted"
                : "appendfsync " + config.get("appendfsync") + ", no-appendfsync-on-rewrite "
                        + config.get("no-appendfsync-on-rewrite") + ", save '" + config.get("save") + '\'';
        return running + ", " + configured
                + assumed.filter(stated -> isHidden())
                        .map(stated -> ", idempotency.redis.assume-durability " + stated)
                        .orElse("");
    }

    /**
     * Describes why this server may lack writes that the masters had acknowledged when last asked; empty when it has
     * all. A process that starts begins a new history, as does a promoted replica. Each names the one that it follows,
     * which a process reads from its snapshot file.
     */
    Optional<String> lostSince(List<AskedServer> masters) {
        for (AskedServer former : masters) {
            if (former.history().equals(followed()) && !former.runId().equals(runId())) {
                return Optional.of(
                        "a replica became the master " + name + ", or a snapshot file was loaded there, and may"
                                + " not have all that its predecessor had acknowledged");
            }
        }
        return named(name, masters).flatMap(this::lostSince);
    }

    private Optional<String> lostSince(AskedServer former) {
        if (runId().isEmpty() || former.runId().isEmpty()) {
            return Optional.empty();
        } else if (!runId().equals(former.runId())) {
            return former.level() == DurabilityLevel.ALWAYS
                    ? Optional.empty()
                    : Optional.of("the server " + name + " was started again or replaced, and its durability was "
                            + former.level());
        }
        // a master also begins a new history when no replica was connected for an hour
        return history().equals(former.history()) || followed().equals(NO_HISTORY)
                ? Optional.empty()
                : Optional.of("the master " + name + " was a replica meanwhile, and took over what another master had");
    }

    private String history() {
        return said("master_replid", "");
    }

    private String followed() {
        return said("master_replid2", NO_HISTORY);
    }
}
