package io.idempotency.runtime.store;

/**
 * A record exists but cannot be understood: a newer version of the library wrote it, or somebody changed it by hand.
 * It is never treated as absent.
 */
public final class UnreadableRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the record.
     *
     * @param id the record
     * @param problem what cannot be understood
     */
    public UnreadableRecordException(RecordId id, String problem) {
        super("Record " + id + " cannot be read by this version of the library: " + problem);
    }
}
