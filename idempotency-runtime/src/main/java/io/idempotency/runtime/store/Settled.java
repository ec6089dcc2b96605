package io.idempotency.runtime.store;

import org.jspecify.annotations.Nullable;

/** The answer to complete, fail, release, renew, doubt and resolve. */
public sealed interface Settled {

    /** The record is as the caller wanted it; also when the same call had been applied before. */
    record Applied() implements Settled {}

    /**
     * The record is not the caller's (any more) and was left as it is.
     *
     * @param current the record now, null when there is none
     */
    record Stale(@Nullable StoredRecord current) implements Settled {}
}
