package io.idempotency.runtime.store;

/**
 * Thrown for a record that exists but cannot be understood: a newer version of the library wrote it, or it was changed
 * by hand. Such a record is never treated as absent.
 */
public final class UnreadableRecordException extends RuntimeException {

    private final String problem;

    /** Describes the record. */
    public UnreadableRecordException(RecordId id, String problem) {
        super("Record " + id + " cannot be read by this version of the library: " + problem);
        this.problem = problem;
    }

    /** Returns what cannot be understood, without the record's id, which is not for callers. */
    public String problem() {
        return problem;
    }
}
