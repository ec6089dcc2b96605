package io.idempotency.runtime.store;

import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports that a store's server probably came back, or was replaced, without all records that it had acknowledged. Keys
 * that were claimed in this window may be claimed again, and their bodies run again. A store publishes this as an
 * application event, logs it as an error and shows it in its health.
 *
 * @param from when all acknowledged records were last known to be there, by the clock of this JVM
 * @param until when the change was noticed
 * @param reason what happened to the server, for people
 */
public record RecordsMayBeMissing(String store, Instant from, Instant until, String reason) {

    private static final Logger LOG = LoggerFactory.getLogger(RecordsMayBeMissing.class);

    /** Publishes this report. Logs what a listener throws, which must not stop the store. */
    public void publish(Consumer<RecordsMayBeMissing> publisher) {
        try {
            publisher.accept(this);
        } catch (RuntimeException e) {
            LOG.warn("A listener of RecordsMayBeMissing failed; nothing else depends on it", e);
        }
    }

    /** Returns one line for people. */
    @Override
    public String toString() {
        return "claims acknowledged between " + from + " and " + until + " may be missing: " + reason;
    }
}
