package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyExecutor;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.Invocation;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.OutcomeListeners;
import io.idempotency.runtime.codec.Fingerprints;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    private final List<OutcomeListener> listeners;
    private final boolean enabled;

    ProgrammaticExecutor(
            ProgrammaticOperations operations,
            Fingerprints fingerprints,
            CallIdentity identity,
            IdempotencyEngine engine,
            List<OutcomeListener> listeners,
            IdempotencyConfiguration configuration) {
        this.operations = operations;
        this.fingerprints = fingerprints;
        this.identity = identity;
        this.engine = engine;
        this.listeners = List.copyOf(listeners);
        this.enabled = configuration.isEnabled();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // what comes out is the body's own, or was decoded as this type
    public <T extends @Nullable Object, E extends Exception> T execute(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            Body<? extends T, E> body)
            throws E {
        Objects.requireNonNull(body, "body");
        Optional<ProtectedCall> call = call(operation, key, arguments, type);
        if (call.isEmpty()) {
            return body.run();
        }
        try {
            return (T) call.get().execute(with -> CompletableFuture.completedFuture(body.run()));
        } catch (Exception e) {
            throw (E) e;
        }
    }

    @Override
    @SuppressWarnings({"unchecked", "CatchingUnchecked"}) // as above; an Error of the body fails the stage as well
    public <T extends @Nullable Object> CompletionStage<T> executeAsync(
            String operation,
            @Nullable String key,
            @Nullable Object arguments,
            Argument<T> type,
            AsyncBody<? extends T> body) {
        try {
            Objects.requireNonNull(body, "body");
            Optional<ProtectedCall> call = call(operation, key, arguments, type);
            CompletionStage<?> answer =
                    call.isEmpty() ? body.start() : call.get().stage(CallContext.current(), with -> body.start());
            return (CompletionStage<T>) Objects.requireNonNull(answer, "null was returned, not a stage");
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Empty for a call that runs unprotected. */
    private Optional<ProtectedCall> call(
            String name, @Nullable String key, @Nullable Object arguments, Argument<?> type) {
        if (!enabled) {
            return Optional.empty();
        }
        BoundOperation bound =
                operations.called(name, type.isVoid() || type.getType() == Void.class ? Argument.VOID : type);
        CallIdentity.Identified identified =
                identity.of(bound, CanonicalKey.text(key), fingerprints.ofJson(name, arguments));
        RecordId id = identified.id();
        if (id == null) {
            OutcomeListeners.tell(listeners, name, listener -> listener.onUnprotected(name));
            return Optional.empty();
        }
        return Optional.of(new ProtectedCall(
                engine,
                listeners,
                (around, body) -> new Invocation(
                        bound.operation(),
                        id,
                        identified.fingerprint(),
                        body,
                        null,
                        null,
                        around.find(IdempotencyContext.class).isPresent())));
    }
}
