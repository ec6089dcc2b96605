package io.idempotency.redis;

import io.idempotency.redis.RedisDurability.Server;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which history of writes a master continues. A replica that becomes master begins a new history, and keeps the name of the one
 * that it followed; a process that starts begins one as well.
 *
 * @param runId the process, empty where INFO is not permitted
 * @param history the replication id
 * @param followed the replication id that it had as a replica; zeros without one
 * @param offset how far its history has come
 * @param followedUntil how far it had followed the former history
 */
record Continuity(String runId, String history, String followed, long offset, long followedUntil) {

    private static final String NO_HISTORY = "0".repeat(40);

    static Continuity of(Map<String, String> info) {
        return new Continuity(
                info.getOrDefault("run_id", ""),
                info.getOrDefault("master_replid", ""),
                info.getOrDefault("master_replid2", NO_HISTORY),
                number(info, "master_repl_offset"),
                number(info, "second_repl_offset") - 1);
    }

    private static long number(Map<String, String> info, String name) {
        return Long.parseLong(info.getOrDefault(name, "0"));
    }

    /** What servers may have lost between two questions; empty where all that they acknowledged is there. */
    static Optional<RecordsMayBeMissing> broken(
            RedisDurability before, RedisDurability now, Instant from, Instant until) {
        String reasons = now.servers().stream()
                .flatMap(server -> server.continuity().since(before, server).stream())
                .collect(Collectors.joining("; "));
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(new RecordsMayBeMissing("redis", from, until, reasons));
    }

    private Optional<String> since(RedisDurability before, Server now) {
        Optional<Continuity> master = before.servers().stream()
                .map(Server::continuity)
                .filter(it -> it.history.equals(followed) && !it.runId.equals(runId))
                .findFirst();
        if (master.isPresent()) {
            return Optional.of(
                    "a replica became the master " + now.server() + ", and may not have received all that its"
                            + " predecessor had acknowledged"
                            + (followedUntil < master.get().offset ? ", also earlier, because it was behind" : ""));
        }
        return before.servers().stream()
                .filter(it -> it.server().equals(now.server()))
                .findFirst()
                .flatMap(this::since);
    }

    /** The same process begins another history, without having been a replica, when no replica was connected for an hour. */
    private Optional<String> since(Server former) {
        Continuity then = former.continuity();
        if (runId.isEmpty() || then.runId.isEmpty()) {
            return Optional.empty();
        } else if (runId.equals(then.runId)) {
            return history.equals(then.history) || followed.equals(NO_HISTORY)
                    ? Optional.empty()
                    : Optional.of("the master " + former.server()
                            + " was a replica meanwhile, and took over what another" + " master had");
        }
        return former.level() == DurabilityLevel.ALWAYS
                ? Optional.empty()
                : Optional.of(
                        "the server " + former.server() + " was started again or replaced, and its durability was "
                                + former.level().setting());
    }
}
