package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operation. Id and fingerprint are computed before the body, which may change its arguments.
 *
 * @param operation the called operation
 * @param id the id of its key's record
 * @param fingerprint the arguments' fingerprint, with the caller where a key belongs to its caller
 * @param body the body, which runs at most once
 * @param reconciler finds out the outcome of an abandoned run; null without one
 * @param reloader finds a result that is not stored; null without one
 * @param nested whether the body of another call makes this call, and may end only after it
 * @param admission decides whether its key may be claimed if the key is new
 * @param arguments the arguments that the claim keeps; null for none
 */
public record Invocation(
        Operation operation,
        RecordId id,
        CallFingerprint fingerprint,
        Body body,
        @Nullable Reconciler reconciler,
        @Nullable Reloader reloader,
        boolean nested,
        NewKeyAdmission admission,
        @Nullable StoredArguments arguments) {

    /** Creates a call that is not nested, without a reloader and without a limit of new keys. */
    public Invocation(
            Operation operation, RecordId id, CallFingerprint fingerprint, Body body, @Nullable Reconciler reconciler) {
        this(operation, id, fingerprint, body, reconciler, null, false, NewKeyAdmission.UNLIMITED, null);
    }

    /** Returns the call with another body, which wraps this one's. */
    public Invocation with(Body other) {
        return new Invocation(operation, id, fingerprint, other, reconciler, reloader, nested, admission, arguments);
    }

    /** The body, which runs at most once. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the body.
         *
         * @param context the claim, for the body's questions about it
         * @return its result; a synchronous body returns a completed stage
         * @throws Throwable any exception or error of the body; means the same as a failed stage
         */
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(IdempotencyContext context) throws Throwable;
    }

    /** Finds out the outcome of an abandoned run. */
    @FunctionalInterface
    public interface Reconciler {
        /**
         * Finds out the outcome of the run.
         *
         * @param context the claim of the current call; its fence is above the abandoned owner's
         * @return the outcome
         * @throws Throwable any exception or error, which leaves the outcome unknown
         */
        CompletionStage<? extends Reconciliation<?>> reconcile(IdempotencyContext context) throws Throwable;
    }

    /** Finds a result that is not stored. */
    @FunctionalInterface
    public interface Reloader {
        /**
         * Finds the result.
         *
         * @param context the operation and key; there is no claim
         * @return the result; null when it cannot be found
         * @throws Throwable any exception or error, which means that the result cannot be found
         */
        CompletionStage<? extends @Nullable Object> reload(IdempotencyContext context) throws Throwable;
    }
}
