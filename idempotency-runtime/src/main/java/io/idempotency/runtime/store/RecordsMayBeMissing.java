package io.idempotency.runtime.store;

import java.time.Instant;

/**
 * A store's server came back, or was replaced by another one, without all records that it had acknowledged, as far as can be
 * told. Keys that were claimed in this window may be claimed again, and their bodies run again. A store publishes it as an
 * application event, logs it as an error and shows it in its health.
 *
 * @param from when all that had been acknowledged was still there, by the clock of this JVM
 * @param until when the change was noticed
 * @param reason what happened to the server, for people
 */
public record RecordsMayBeMissing(String store, Instant from, Instant until, String reason) {

    /** One line for people. */
    @Override
    public String toString() {
        return "claims acknowledged between " + from + " and " + until + " may be missing: " + reason;
    }
}
