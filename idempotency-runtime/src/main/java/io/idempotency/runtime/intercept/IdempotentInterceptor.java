package io.idempotency.runtime.intercept;

import io.idempotency.definition.IdempotentAdvice;
import io.idempotency.runtime.IdempotencyExecutor;
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
    private final IdempotencyExecutor executor;
    private final List<OutcomeListener> listeners;
    private final ConversionService conversion;
    private final boolean enabled;

    IdempotentInterceptor(
            Operations operations,
            CallIdentity identity,
            Reconcilers reconcilers,
            IdempotencyExecutor executor,
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
            return switch (method.resultType()) {
                case SYNCHRONOUS -> {
                    Optional<Invocation> call = call(bound, context, method);
                    yield call.isEmpty()
                            ? context.proceed()
                            : Answer.of(
                                    executor.execute(call.get()),
                                    bound.operation().name(),
                                    listeners);
                }
                case COMPLETION_STAGE -> method.handleResult(stage(bound, context, method));
                case PUBLISHER -> method.handleResult(ReactiveCall.deferred(() -> stage(bound, context, method)));
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    private CompletionStage<@Nullable Object> stage(
            BoundOperation bound, MethodInvocationContext<Object, Object> context, InterceptedMethod method) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        Optional<Invocation> call = call(bound, context, method);
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
            BoundOperation bound, MethodInvocationContext<Object, Object> context, InterceptedMethod method) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        String fingerprint = Fingerprint.of(bound.definition(), context.getParameterValues());
        Optional<RecordId> id = identity.of(bound, context, fingerprint);
        if (id.isEmpty()) {
            listeners.forEach(
                    listener -> listener.onUnprotected(bound.operation().name()));
            return Optional.empty();
        }
        Invocation.Body body = claim -> proceed(context, method, caller.plus(claim));
        return Optional.of(
                new Invocation(bound.operation(), id.get(), fingerprint, body, reconcilers.of(bound, context, caller)));
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
