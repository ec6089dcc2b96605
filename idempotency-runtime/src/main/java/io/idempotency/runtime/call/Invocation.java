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

    /** Code of the application. Synchronous code returns a completed stage. */
    @FunctionalInterface
    public interface Code<T extends @Nullable Object> {
        /** Starts the code. Whatever it throws, a null stage included, means the same as a failed stage. */
        @Nullable
        CompletionStage<? extends T> run(IdempotencyContext context) throws Throwable;
    }

    /** The body, which runs at most once. */
    @FunctionalInterface
    public interface Body extends Code<@Nullable Object> {}

    /**
     * Finds out the outcome of an abandoned run, under a claim whose fence is above the abandoned owner's. Whatever it
     * throws leaves the outcome unknown.
     */
    @FunctionalInterface
    public interface Reconciler extends Code<Reconciliation<?>> {}

    /** Finds a result that is not stored; there is no claim. Null, or whatever it throws, means that it cannot be found. */
    @FunctionalInterface
    public interface Reloader extends Code<@Nullable Object> {}

    /** Makes owner tokens of claims, at most 64 characters long; no two claims of any node get the same. Thread-safe. */
    public interface OwnerTokens extends Supplier<String> {}
}
