package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import java.io.IOException;

/** Transforms a recorded outcome before a store sees it, and back before it is replayed. Thread-safe. */
public interface Seal {

    /** A seal that changes nothing. */
    Seal NONE = new Seal() {
        @Override
        public byte[] seal(RecordId id, byte[] bytes) {
            return bytes;
        }

        @Override
        public byte[] open(RecordId id, byte[] bytes) {
            return bytes;
        }

        @Override
        public boolean hides() {
            return false;
        }

        @Override
        public boolean refusesPlain() {
            return false;
        }
    };

    /**
     * Seals an outcome. Two calls may return different bytes, so a retry must send the bytes of the first.
     *
     * @param id the only record in which the outcome can be opened
     * @return the stored bytes
     */
    byte[] seal(RecordId id, byte[] bytes);

    /**
     * Opens an outcome that was sealed, or was stored before there was a seal.
     *
     * @param id the record that holds it
     * @throws IOException when it cannot be opened; the message says what to do
     */
    byte[] open(RecordId id, byte[] bytes) throws IOException;

    /** Tells whether stored outcomes cannot be read without the key. */
    boolean hides();

    /** Tells whether outcomes that are not sealed are refused, because all records are known to be sealed. */
    boolean refusesPlain();
}
