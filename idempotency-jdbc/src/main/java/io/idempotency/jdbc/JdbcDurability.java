package io.idempotency.jdbc;

import java.util.Locale;

/** What is left of the records when a database server fails, from the least to the most. */
public enum JdbcDurability {
    /** Nothing is promised: commits are answered before they are on disk, or nothing is kept on disk. */
    NONE,
    /** Everything that was acknowledged, as long as this server comes back with its disk. */
    CRASH_SAFE,
    /** Everything that was acknowledged, also when a synchronous standby takes the server's place. */
    REPLICATED;

    /**
     * The value as it is written in the configuration.
     *
     * @return for instance {@code crash-safe}
     */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
