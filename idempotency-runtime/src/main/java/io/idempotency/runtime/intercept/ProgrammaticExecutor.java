package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.codec.Fingerprints;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adapts calls by hand to the engine, and their outcomes back to their bodies' types. */
@Singleton
record ProgrammaticExecutor(
        Calls calls, ProgrammaticOperations operations, Fingerprints fingerprints, CallIdentity identity)
        implements IdempotencyExecutor {

    private static Function<CallFingerprint, @Nullable String> byArguments(@Nullable Object arguments) {
        return fingerprint -> arguments == null ? null : Fingerprints.keyOf(fingerprint);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            Body<? extends T, E> body)
            throws E {
        return executed(() -> call(operation, of -> CanonicalKey.text(key), arguments, type), body);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T executeByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, Body<? extends T, E> body) throws E {
        return executed(() -> call(operation, byArguments(arguments), arguments, type), body);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the value is the body's own, or was decoded as this type
    private static <T extends @Nullable Object, E extends Exception> T executed(
            Supplier<Calls.Call> call, Body<? extends T, E> body) throws E {
        Objects.requireNonNull(body, "body");
        try {
            return (T) call.get().execute(with -> CompletableFuture.completedFuture(body.run()));
        } catch (Exception e) {
            throw (E) e;
        }
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            AsyncBody<? extends T> body) {
        return started(() -> call(operation, of -> CanonicalKey.text(key), arguments, type), body);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsyncByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, AsyncBody<? extends T> body) {
        return started(() -> call(operation, byArguments(arguments), arguments, type), body);
    }

    @SuppressWarnings("unchecked") // as above; an Error of the body fails the stage as well
    private static <T extends @Nullable Object> CompletionStage<T> started(
            Supplier<Calls.Call> call, AsyncBody<? extends T> body) {
        try {
            Objects.requireNonNull(body, "body");
            return (CompletionStage<T>) call.get().stage(CallContext.current(), null, with -> body.start());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Returns the call.
     *
     * @param key returns the canonical key by the arguments' fingerprint; null for no key
     */
    private Calls.Call call(
            String name,
            Function<CallFingerprint, @Nullable String> key,
            @Nullable Object arguments,
            Argument<?> type) {
        Supplier<UnprotectedContext> unprotected = () -> new UnprotectedContext(name);
        if (!calls.enabled()) {
            return calls.withoutKey(name, unprotected);
        }
        Bound bound = operations.called(name, type.isVoid() || type.getType() == Void.class ? Argument.VOID : type);
        CallFingerprint fingerprint = fingerprints.ofJson(name, arguments);
        return identity.of(bound, key.apply(fingerprint), fingerprint)
                .map(call -> calls.withKey(
                        (around, body) -> new Invocation(
                                bound.operation(),
                                call.id(),
                                call.fingerprint(),
                                body,
                                null,
                                null,
                                CallContext.isNested(around),
                                call.admission(),
                                null),
                        null))
                .orElseGet(() -> calls.withoutKey(name, unprotected));
    }
}
