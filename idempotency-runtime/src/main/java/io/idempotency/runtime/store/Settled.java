package io.idempotency.runtime.store;

import org.jspecify.annotations.Nullable;

/** The answer to complete, fail, release, renew, doubt, resolve and erase. */
public sealed interface Settled {

    /** The record is as the caller wants it, also when the same call was applied before. */
    record Applied() implements Settled {}

    /**
     * The step does not apply to the record, which was left as it is: usually the record is not the caller's any more.
     *
     * @param current the record now, null when there is none
     */
    record Stale(@Nullable StoredRecord current) implements Settled {}

    /**
     * The store cannot tell whether the step was done. Only {@link IdempotencyStore#renew} answers so, in order that one
     * record does not cost the others their answers; elsewhere the store throws.
     */
    record Unanswered(RuntimeException failure) implements Settled {}
}
