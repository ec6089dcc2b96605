package io.idempotency.redis;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one server that holds records does with them.
 *
 * @param server its address
 * @param master whether it takes writes
 * @param level what is left of them when it stops
 * @param replicas how many replicas are connected to it
 * @param evicts whether it removes keys when its memory is full, although their time is not over
 * @param runId which process it is, empty where INFO is not permitted; a restart or a fail-over makes it another one
 * @param found the settings that the level was read off, for people
 */
public record ServerDurability(
        String server,
        boolean master,
        DurabilityLevel level,
        int replicas,
        boolean evicts,
        String runId,
        String found) {

    /**
     * Judges a server by what it says.
     *
     * @param info its INFO, empty when it is not permitted
     * @param config its CONFIG, null when it is not permitted
     * @param assumed the operator's word for what cannot be read, null without one
     */
    static ServerDurability of(
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
        return new ServerDurability(
                server,
                info.getOrDefault("role", "master").equals("master"),
                evicts ? DurabilityLevel.NONE : level,
                Integer.parseInt(info.getOrDefault("connected_slaves", "0")),
                evicts,
                info.getOrDefault("run_id", ""),
                found(info, config, evicts, hidden ? assumed : null));
    }

    /** A replica that never answered; the operator's word counts as where CONFIG is not permitted. */
    static ServerDurability unreachable(String server, @Nullable DurabilityLevel assumed, Throwable failure) {
        DurabilityLevel level = Objects.requireNonNullElse(assumed, DurabilityLevel.NONE);
        return new ServerDurability(server, false, level, 0, false, "", "it could not be asked: " + failure);
    }

    private static DurabilityLevel persistence(Map<String, String> info, @Nullable Map<String, String> config) {
        if ("1".equals(info.get("aof_enabled"))) {
            return config == null ? DurabilityLevel.SNAPSHOT : appendOnly(config);
        }
        boolean savePoints = config != null && !config.getOrDefault("save", "").isEmpty();
        return savePoints ? DurabilityLevel.SNAPSHOT : DurabilityLevel.NONE;
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
        StringBuilder text = new StringBuilder();
        if (info.isEmpty()) {
            text.append("INFO is not permitted, ");
        } else {
            text.append("appendonly ").append("1".equals(info.get("aof_enabled")) ? "yes" : "no");
            text.append(", maxmemory-policy ").append(info.getOrDefault("maxmemory_policy", "unknown"));
            text.append(evicts ? " with a maxmemory" : "").append(", ");
        }
        if (config == null) {
            text.append("CONFIG is not permitted");
        } else {
            text.append("appendfsync ").append(config.get("appendfsync"));
            text.append(", no-appendfsync-on-rewrite ").append(config.get("no-appendfsync-on-rewrite"));
            text.append(", save '").append(config.get("save")).append('\'');
        }
        return assumed == null
                ? text.toString()
                : text.append(", idempotency.redis.assume-durability ")
                        .append(assumed.setting())
                        .toString();
    }
}
