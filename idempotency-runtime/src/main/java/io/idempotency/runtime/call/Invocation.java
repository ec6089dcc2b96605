package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operation. Id and fingerprint are computed before the body, which may change its arguments.
 *
 * @param fingerprint the arguments' fingerprint, with the caller where a key belongs to its caller
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

    /**
     * The body, which runs at most once. A synchronous body returns a completed stage. Whatever it throws means the same
     * as a failed stage.
     */
    @FunctionalInterface
    public interface Body {
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(IdempotencyContext context) throws Throwable;
    }

    /**
     * Finds out the outcome of an abandoned run, under a claim whose fence is above the abandoned owner's. Whatever it
     * throws leaves the outcome unknown.
     */
    @FunctionalInterface
    public interface Reconciler {
        CompletionStage<? extends Reconciliation<?>> reconcile(IdempotencyContext context) throws Throwable;
    }

    /** Finds a result that is not stored; there is no claim. Null, or whatever it throws, means that it cannot be found. */
    @FunctionalInterface
    public interface Reloader {
        CompletionStage<? extends @Nullable Object> reload(IdempotencyContext context) throws Throwable;
    }

    /** Makes owner tokens of claims, at most 64 characters long; no two claims of any node get the same. Thread-safe. */
    public interface OwnerTokens extends Supplier<String> {}
}
