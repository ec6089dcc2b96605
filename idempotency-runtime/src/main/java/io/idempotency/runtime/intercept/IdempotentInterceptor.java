package io.idempotency.runtime.intercept;

import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.Invocation;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Micronaut's world in, the engine called, Micronaut's world out. */
@Singleton
@InterceptorBean(IdempotentAdvice.class)
final class IdempotentInterceptor implements MethodInterceptor<Object, Object> {

    private final Operations operations;
    private final CallIdentity identity;
    private final Reconcilers reconcilers;
    private final IdempotencyEngine executor;
    private final List<OutcomeListener> listeners;
    private final ConversionService conversion;
    private final boolean enabled;

    IdempotentInterceptor(
            Operations operations,
            CallIdentity identity,
            Reconcilers reconcilers,
            IdempotencyEngine executor,
            List<OutcomeListener> listeners,
            ConversionService conversion,
            IdempotencyConfiguration configuration) {
        this.operations = operations;
        this.identity = identity;
        this.reconcilers = reconcilers;
        this.executor = executor;
        this.listeners = List.copyOf(listeners);
        this.conversion = conversion;
        this.enabled = configuration.isEnabled();
    }

    /** Inside validation, cache and retry; outside the transaction, whose rollback must not forget the claim. */
    @Override
    public int getOrder() {
        return InterceptPhase.TRANSACTION.getPosition() - 10;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        if (!enabled) {
            return context.proceed();
        }
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            BoundOperation bound = operations.of(context.getExecutableMethod());
            CallIdentity.Identified identified = identity.of(bound, context);
            PropagatedContext caller = PropagatedContext.getOrEmpty();
            return switch (method.resultType()) {
                case SYNCHRONOUS -> {
                    Optional<Invocation> call = call(bound, identified, context, method, caller);
                    yield call.isEmpty()
                            ? context.proceed()
                            : Answer.of(
                                    executor.execute(call.get()),
                                    bound.operation().name(),
                                    listeners);
                }
                case COMPLETION_STAGE -> method.handleResult(stage(bound, identified, context, method, caller));
                case PUBLISHER ->
                    method.handleResult(
                            ReactiveCall.deferred(() -> stage(bound, identified, context, method, subscriber(caller))));
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    /** Who subscribes again, after a delay for instance, does so from a thread that knows nothing of the call. */
    private static PropagatedContext subscriber(PropagatedContext caller) {
        PropagatedContext subscriber = PropagatedContext.getOrEmpty();
        return subscriber.getAllElements().isEmpty() ? caller : subscriber;
    }

    private CompletionStage<@Nullable Object> stage(
            BoundOperation bound,
            CallIdentity.Identified identified,
            MethodInvocationContext<Object, Object> context,
            InterceptedMethod method,
            PropagatedContext caller) {
        Optional<Invocation> call = call(bound, identified, context, method, caller);
        if (call.isEmpty()) {
            return proceed(context, method, caller);
        }
        return executor.executeAsync(call.get()).thenCompose(outcome -> {
            try (PropagatedContext.Scope ignored = caller.propagate()) {
                return CompletableFuture.completedFuture(
                        Answer.of(outcome, bound.operation().name(), listeners));
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** Empty when the call has no key and runs unprotected. */
    private Optional<Invocation> call(
            BoundOperation bound,
            CallIdentity.Identified identified,
            MethodInvocationContext<Object, Object> context,
            InterceptedMethod method,
            PropagatedContext caller) {
        RecordId id = identified.id();
        if (id == null) {
            String operation = bound.operation().name();
            Answer.tell(listeners, operation, listener -> listener.onUnprotected(operation));
            return Optional.empty();
        }
        // on the caller's own thread the engine may have opened a transaction since, which the body must see
        boolean sameThread = method.resultType() == InterceptedMethod.ResultType.SYNCHRONOUS;
        Invocation.Body body =
                claim -> proceed(context, method, (sameThread ? PropagatedContext.getOrEmpty() : caller).plus(claim));
        return Optional.of(new Invocation(
                bound.operation(), id, identified.fingerprint(), body, reconcilers.of(bound, context, caller)));
    }

    private CompletionStage<@Nullable Object> proceed(
            MethodInvocationContext<Object, Object> context, InterceptedMethod method, PropagatedContext with) {
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return switch (method.resultType()) {
                case SYNCHRONOUS -> CompletableFuture.completedFuture(method.interceptResult(this));
                case COMPLETION_STAGE -> asObject(method.interceptResultAsCompletionStage(this));
                case PUBLISHER -> ReactiveCall.started(with, method.interceptResultAsPublisher(this));
            };
        }
    }

    @SuppressWarnings("unchecked") // a stage only produces its value
    private static CompletionStage<@Nullable Object> asObject(CompletionStage<?> stage) {
        return (CompletionStage<@Nullable Object>) stage;
    }
}
