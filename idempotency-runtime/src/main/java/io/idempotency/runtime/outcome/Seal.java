package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import java.io.IOException;

/** What is done to a recorded outcome before a store sees it, and undone before it is replayed. Thread-safe. */
public interface Seal {

    /** Stores see what was recorded. */
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
     * Seals an outcome. Two calls may give different bytes, so what was sealed once is what a store is told again.
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
     * Whether what is stored can be read only with the key.
     *
     * @return false where outcomes are stored as they are, or smaller
     */
    boolean hides();

    /**
     * Whether what is not sealed is refused.
     *
     * @return true where all records are known to be sealed
     */
    boolean refusesPlain();
}
