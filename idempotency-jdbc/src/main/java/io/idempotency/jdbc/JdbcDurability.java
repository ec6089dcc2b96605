package io.idempotency.jdbc;

import java.util.Locale;

/** How durable a database server's records are, weakest first. */
public enum JdbcDurability {
    /** Commits are answered before they are on disk, or nothing is kept on disk. */
    NONE,
    /** Everything that was acknowledged, as long as this server comes back with its disk. */
    CRASH_SAFE,
    /** Everything that was acknowledged, also when a synchronous standby takes the server's place. */
    REPLICATED;

    /** Returns the value as it is written in the configuration, for instance {@code crash-safe}. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
