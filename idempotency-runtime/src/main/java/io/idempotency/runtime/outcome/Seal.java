package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import java.io.IOException;

/** Transforms a recorded outcome before a store sees it, and back before it is replayed. Thread-safe. */
public interface Seal {

    /** Changes nothing. */
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
     * Seals an outcome. Two calls may give different bytes, so a retry sends the bytes of the first.
     *
     * @param id the record, the only one in which it can be opened
     * @param bytes the outcome
     * @return what is stored
     */
    byte[] seal(RecordId id, byte[] bytes);

    /**
     * Opens an outcome that was sealed, or was stored before there was a seal.
     *
     * @param id the record that holds it
     * @param bytes what is stored
     * @return the outcome
     * @throws IOException when it cannot be opened, with what to do
     */
    byte[] open(RecordId id, byte[] bytes) throws IOException;

    /**
     * Tells whether stored outcomes can be read only with the key.
     *
     * @return false where outcomes are stored as they are, or smaller
     */
    boolean hides();

    /**
     * Tells whether outcomes that are not sealed are refused.
     *
     * @return true where all records are known to be sealed
     */
    boolean refusesPlain();
}
