package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import java.io.IOException;

/**
 * Transforms a recorded outcome before a store sees it, and back before it is replayed; by default changes nothing.
 * Thread-safe.
 */
public interface Seal {

    /** A seal that changes nothing. */
    Seal NONE = new Seal() {};

    /**
     * Seals an outcome. Two calls may return different bytes, so a retry must send the bytes of the first.
     *
     * @param id the only record in which the outcome can be opened
     * @return the stored bytes
     */
    default byte[] seal(RecordId id, byte[] bytes) {
        return bytes;
    }

    /**
     * Opens an outcome that was sealed, or was stored before there was a seal.
     *
     * @param id the record that holds it
     * @throws IOException when it cannot be opened; the message says what to do
     */
    default byte[] open(RecordId id, byte[] bytes) throws IOException {
        return bytes;
    }

    /** Tells whether stored outcomes cannot be read without the key. */
    default boolean hides() {
        return false;
    }

    /** Tells whether outcomes that are not sealed are refused, because all records are known to be sealed. */
    default boolean refusesPlain() {
        return false;
    }
}
