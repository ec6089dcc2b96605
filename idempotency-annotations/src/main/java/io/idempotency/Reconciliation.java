package io.idempotency;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Reconciles} method found out about an abandoned run.
 *
 * @param <T> the operation's result
 */
public sealed interface Reconciliation<T extends @Nullable Object> {

    /** The effect happened and this is its result: it is recorded and given to every caller of the key. */
    record Done<T extends @Nullable Object>(T result) implements Reconciliation<T> {}

    /** It is proven that the effect did not happen: the caller runs the body. */
    record Absent<T extends @Nullable Object>() implements Reconciliation<T> {}

    /** It cannot be said yet, for a reason that the operator reads: the outcome stays in doubt. */
    record Unknown<T extends @Nullable Object>(String reason) implements Reconciliation<T> {}

    /** The effect happened, with this result. */
    static <T extends @Nullable Object> Reconciliation<T> done(T result) {
        return new Done<>(result);
    }

    /** The effect is proven not to have happened. */
    static <T extends @Nullable Object> Reconciliation<T> absent() {
        return new Absent<>();
    }

    /** It cannot be said yet, for a reason that the operator reads. */
    static <T extends @Nullable Object> Reconciliation<T> unknown(String reason) {
        return new Unknown<>(reason);
    }
}
