package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.codec.Fingerprints;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls by hand in, the engine called, the body's own types out. */
@Singleton
final class ProgrammaticExecutor implements IdempotencyExecutor {

    private final ProgrammaticOperations operations;
    private final Fingerprints fingerprints;
    private final CallIdentity identity;
    private final IdempotencyEngine engine;
    private final EventLoops loops;
    private final List<OutcomeListener> listeners;
    private final boolean enabled;

    /**
     * What a call is known by.
     *
     * @param key null for a call without one
     * @param isKey whether the arguments are the key
     */
    private record Payload(@Nullable String key, @Nullable Object arguments, boolean isKey) {

        static Payload with(@Nullable String key, @Nullable Object arguments) {
            return new Payload(key, arguments, false);
        }

        static Payload asKey(@Nullable Object arguments) {
            return new Payload(null, arguments, true);
        }

        @Nullable
        String key(CallFingerprint fingerprint) {
            if (isKey) {
                return arguments == null ? null : Fingerprints.keyOf(fingerprint);
            }
            return CanonicalKey.text(key);
        }
    }

    ProgrammaticExecutor(
            ProgrammaticOperations operations,
            Fingerprints fingerprints,
            CallIdentity identity,
            IdempotencyEngine engine,
            EventLoops loops,
            List<OutcomeListener> listeners,
            IdempotencyConfiguration configuration) {
        this.operations = operations;
        this.fingerprints = fingerprints;
        this.identity = identity;
        this.engine = engine;
        this.loops = loops;
        this.listeners = List.copyOf(listeners);
        this.enabled = configuration.isEnabled();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T execute(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            Body<? extends T, E> body)
            throws E {
        return execute(operation, Payload.with(key, arguments), type, body);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T executeByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, Body<? extends T, E> body) throws E {
        return execute(operation, Payload.asKey(arguments), type, body);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what comes out is the body's own, or was decoded as this type
    private <T extends @Nullable Object, E extends Exception> T execute(
            String operation, Payload payload, Argument<T> type, Body<? extends T, E> body) throws E {
        Objects.requireNonNull(body, "body");
        Call call = call(operation, payload, type);
        try {
            return (T) call.execute(with -> CompletableFuture.completedFuture(body.run()));
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
        return executeAsync(operation, Payload.with(key, arguments), type, body);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> executeAsyncByArguments(
            String operation, @Nullable Object arguments, Argument<T> type, AsyncBody<? extends T> body) {
        return executeAsync(operation, Payload.asKey(arguments), type, body);
    }

    @SuppressWarnings({"unchecked", "CatchingUnchecked"}) // as above; an Error of the body fails the stage as well
    private <T extends @Nullable Object> CompletionStage<T> executeAsync(
            String operation, Payload payload, Argument<T> type, AsyncBody<? extends T> body) {
        try {
            Objects.requireNonNull(body, "body");
            Call call = call(operation, payload, type);
            return (CompletionStage<T>) call.stage(CallContext.current(), null, with -> body.start());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Call call(String name, Payload payload, Argument<?> type) {
        if (!enabled) {
            return unprotected(name);
        }
        BoundOperation bound =
                operations.called(name, type.isVoid() || type.getType() == Void.class ? Argument.VOID : type);
        CallFingerprint fingerprint = fingerprints.ofJson(name, payload.arguments());
        CallIdentity.Identified identified = identity.of(bound, payload.key(fingerprint), fingerprint);
        RecordId id = identified.id();
        if (id == null) {
            Listeners.tell(listeners, name, listener -> listener.onUnprotected(name));
            return unprotected(name);
        }
        return new ProtectedCall(
                engine,
                loops,
                listeners,
                (around, body) -> new Invocation(
                        bound.operation(),
                        id,
                        identified.fingerprint(),
                        body,
                        null,
                        null,
                        CallContext.isNested(around),
                        identified.admission(),
                        null),
                null);
    }

    private static Call unprotected(String name) {
        return new UnprotectedCall(() -> new UnprotectedContext(name));
    }
}
