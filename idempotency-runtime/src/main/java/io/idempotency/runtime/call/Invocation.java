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
 * @param operation what is called
 * @param id the record of its key
 * @param fingerprint its arguments' fingerprint, with a {@link CallerHash} where keys belong to their callers
 * @param body the body, which runs at most once
 * @param reconciler asked about an abandoned run, null without one
 * @param reloader asked for a result that is not stored, null without one
 * @param nested whether the call is made by the body of another one, which may end only after it
 * @param admission whether its key may be claimed if it is new
 * @param arguments what the claim keeps of its arguments, null for nothing
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

    /** Creates a call that is not nested, without a reloader and a limit of new keys. */
    public Invocation(
            Operation operation, RecordId id, CallFingerprint fingerprint, Body body, @Nullable Reconciler reconciler) {
        this(operation, id, fingerprint, body, reconciler, null, false, NewKeyAdmission.UNLIMITED, null);
    }

    /**
     * Returns the call with another body, which wraps its own.
     *
     * @param other the body
     * @return a new call
     */
    public Invocation with(Body other) {
        return new Invocation(operation, id, fingerprint, other, reconciler, reloader, nested, admission, arguments);
    }

    /** The body, which runs at most once. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs the body.
         *
         * @param context what the body can ask about its claim
         * @return its result; a synchronous body returns a completed stage
         * @throws Throwable whatever the body throws; the same as a failed stage
         */
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(IdempotencyContext context) throws Throwable;
    }

    /** Finds out what became of an abandoned run. */
    @FunctionalInterface
    public interface Reconciler {
        /**
         * Asks what became of the run.
         *
         * @param context the claim of the asking call; its fence is above the abandoned owner's
         * @return the answer
         * @throws Throwable whatever it throws counts as unknown
         */
        CompletionStage<? extends Reconciliation<?>> reconcile(IdempotencyContext context) throws Throwable;
    }

    /** Finds a result that is not stored. */
    @FunctionalInterface
    public interface Reloader {
        /**
         * Asks for the result.
         *
         * @param context knows operation and key; there is no claim
         * @return the result; null when there is none to give
         * @throws Throwable whatever it throws means that there is none to give
         */
        CompletionStage<? extends @Nullable Object> reload(IdempotencyContext context) throws Throwable;
    }
}
