package io.idempotency.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one server said of itself, and what that means for the records that it holds or may hold.
 *
 * @param name its address
 * @param info its INFO, empty where it is not permitted
 * @param config its CONFIG, null where it is not permitted
 * @param assumed the operator's word for what cannot be read, null without one
 */
record AskedServer(
        String name,
        Map<String, String> info,
        @Nullable Map<String, String> config,
        @Nullable DurabilityLevel assumed) {

    private static final String NO_HISTORY = "0".repeat(40);
    private static final String FAILURE = "failure";

    /** A replica that never answered; the operator's word counts as where CONFIG is not permitted. */
    static AskedServer unreachable(String name, @Nullable DurabilityLevel assumed, Throwable failure) {
        return new AskedServer(name, Map.of("role", "slave", FAILURE, failure.toString()), null, assumed);
    }

    /** Reads lines of a name, the separator and a value. */
    static Map<String, String> pairs(Stream<String> lines, String separator) {
        return lines.map(line -> line.split(separator, 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].trim(), (first, again) -> first));
    }

    private String said(String what, String otherwise) {
        return info.getOrDefault(what, otherwise);
    }

    /** Whether it takes writes. */
    boolean isMaster() {
        return said("role", "master").equals("master");
    }

    /** Whether it may become a master: Sentinel makes none of a replica without priority; a cluster does not look at that. */
    boolean mayBeMaster() {
        return !said("slave_priority", "").equals("0")
                || said("cluster_enabled", "").equals("1");
    }

    /** How many replicas are connected to it. */
    int replicas() {
        return Integer.parseInt(said("connected_slaves", "0"));
    }

    /** The replicas that it lists, like {@code slave0:ip=10.0.0.7,port=6379,state=online,...}. */
    Stream<Map<String, String>> listedReplicas() {
        return info.entrySet().stream()
                .filter(line -> line.getKey().matches("slave\\d+"))
                .map(line -> pairs(Arrays.stream(line.getValue().split(",", -1)), "="));
    }

    /** Its process; empty where INFO is not permitted. */
    String runId() {
        return said("run_id", "");
    }

    /** Whether it removes keys when its memory is full, although their time is not over. */
    boolean evicts() {
        return !said("maxmemory", "0").equals("0")
                && !said("maxmemory_policy", "unknown").equals("noeviction");
    }

    private boolean appends() {
        return said("aof_enabled", "0").equals("1");
    }

    private boolean isHidden() {
        return info.isEmpty() || config == null;
    }

    /** What is left of its records when it stops. */
    DurabilityLevel level() {
        DurabilityLevel level = evicts() ? DurabilityLevel.NONE : persistence();
        return isHidden() && !evicts() && assumed != null && assumed.compareTo(level) > 0 ? assumed : level;
    }

    private DurabilityLevel persistence() {
        boolean saves = config != null && !config.getOrDefault("save", "").isEmpty();
        if (config == null || !appends()) {
            return appends() || saves ? DurabilityLevel.SNAPSHOT : DurabilityLevel.NONE;
        } else if ("yes".equals(config.get("no-appendfsync-on-rewrite"))) {
            // while the file is rewritten it is not synchronised at all
            return DurabilityLevel.SNAPSHOT;
        }
        return switch (Objects.requireNonNullElse(config.get("appendfsync"), "no")) {
            case "always" -> DurabilityLevel.ALWAYS;
            case "everysec" -> DurabilityLevel.EVERY_SECOND;
            default -> DurabilityLevel.SNAPSHOT;
        };
    }

    /** The settings that the level was read off, for people. */
    String found() {
        if (info.containsKey(FAILURE)) {
            return "it could not be asked: " + info.get(FAILURE);
        }
        String running = info.isEmpty()
                ? "INFO is not permitted"
                : "appendonly " + (appends() ? "yes" : "no") + ", maxmemory-policy "
                        + said("maxmemory_policy", "unknown") + (evicts() ? " with a maxmemory" : "");
        String configured = config == null
                ? "CONFIG is not permitted"
                : "appendfsync " + config.get("appendfsync") + ", no-appendfsync-on-rewrite "
                        + config.get("no-appendfsync-on-rewrite") + ", save '" + config.get("save") + '\'';
        return running + ", " + configured
                + (isHidden() && assumed != null ? ", idempotency.redis.assume-durability " + assumed.setting() : "");
    }

    /**
     * What it may lack of that which the masters had acknowledged when they were asked before; empty where it has all. A replica that
     * becomes master begins a new history of writes, and names the one that it followed; a process that starts begins one as well.
     */
    Optional<String> lostSince(List<AskedServer> masters) {
        for (AskedServer former : masters) {
            if (former.history().equals(followed()) && !former.runId().equals(runId())) {
                return Optional.of("a replica became the master " + name + ", and may not have received all that its"
                        + " predecessor had acknowledged"
                        + (number("second_repl_offset") - 1 < former.number("master_repl_offset")
                                ? ", also earlier, because it was behind"
                                : ""));
            }
        }
        return masters.stream()
                .filter(former -> former.name.equals(name))
                .findFirst()
                .flatMap(this::lostSince);
    }

    private Optional<String> lostSince(AskedServer former) {
        if (runId().isEmpty() || former.runId().isEmpty()) {
            return Optional.empty();
        } else if (!runId().equals(former.runId())) {
            return former.level() == DurabilityLevel.ALWAYS
                    ? Optional.empty()
                    : Optional.of("the server " + name + " was started again or replaced, and its durability was "
                            + former.level().setting());
        }
        // without having been a replica, a process begins another history when no replica was connected for an hour
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

    private long number(String what) {
        return Long.parseLong(said(what, "0"));
    }
}
