package io.idempotency.runtime.intercept;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Micronaut's world in, the engine called, Micronaut's world out. */
@Singleton
@InterceptorBean(IdempotentOperation.class)
final class IdempotentInterceptor implements MethodInterceptor<Object, Object> {

    private static final String IDENTITY = CallIdentity.Identified.class.getName();
    private static final String UNPROTECTED = UnprotectedContext.class.getName();

    private final Operations operations;
    private final CallIdentity identity;
    private final Reconcilers reconcilers;
    private final Reloaders reloaders;
    private final ArgumentsCodec arguments;
    private final IdempotencyEngine engine;
    private final EventLoops loops;
    private final List<OutcomeListener> listeners;
    private final @Nullable AnsweredCalls answered;
    private final ConversionService conversion;
    private final boolean enabled;

    IdempotentInterceptor(
            Operations operations,
            CallIdentity identity,
            Reconcilers reconcilers,
            Reloaders reloaders,
            ArgumentsCodec arguments,
            IdempotencyEngine engine,
            EventLoops loops,
            List<OutcomeListener> listeners,
            @io.micronaut.core.annotation.Nullable AnsweredCalls answered,
            ConversionService conversion,
            IdempotencyConfiguration configuration) {
        this.operations = operations;
        this.identity = identity;
        this.reconcilers = reconcilers;
        this.reloaders = reloaders;
        this.arguments = arguments;
        this.engine = engine;
        this.loops = loops;
        this.listeners = List.copyOf(listeners);
        this.answered = answered;
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
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            Call call = enabled ? call(context) : unprotected(context);
            return switch (method.resultType()) {
                case SYNCHRONOUS ->
                    call.execute(with -> CompletableFuture.completedFuture(method.interceptResult(this)));
                case COMPLETION_STAGE ->
                    method.handleResult(call.stage(
                            CallContext.current(), null, with -> method.interceptResultAsCompletionStage(this)));
                case PUBLISHER ->
                    method.handleResult(ReactiveCall.deferred(call, () -> method.interceptResultAsPublisher(this)));
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    private Call call(MethodInvocationContext<Object, Object> context) {
        BoundOperation bound = operations.of(context.getExecutableMethod());
        CallIdentity.Identified identified = identified(bound, context);
        RecordId id = identified.id();
        if (id != null) {
            return protectedCall(bound, id, identified, context);
        }
        String operation = bound.operation().name();
        Listeners.tell(listeners, operation, listener -> listener.onUnprotected(operation));
        return unprotected(context);
    }

    /** A retry is the same call, whatever the body did to its arguments. */
    private CallIdentity.Identified identified(BoundOperation bound, MethodInvocationContext<Object, Object> context) {
        if (!bound.retried() && !RepeatedInvocation.is(context)) {
            return identity.of(bound, context);
        }
        CallIdentity.Identified known = context.getAttribute(IDENTITY, CallIdentity.Identified.class)
                .orElseGet(() -> identity.of(bound, context));
        context.setAttribute(IDENTITY, known);
        return known;
    }

    private static Call unprotected(MethodInvocationContext<Object, Object> context) {
        ExecutableMethod<?, ?> method = context.getExecutableMethod();
        String operation = GeneratedDefinitions.of(method).name();
        if (!Operations.isRetried(method)) {
            return new UnprotectedCall(() -> new UnprotectedContext(operation));
        }
        UnprotectedContext known = context.getAttribute(UNPROTECTED, UnprotectedContext.class)
                .orElseGet(() -> new UnprotectedContext(operation));
        context.setAttribute(UNPROTECTED, known);
        return new UnprotectedCall(() -> known);
    }

    private ProtectedCall protectedCall(
            BoundOperation bound,
            RecordId id,
            CallIdentity.Identified identified,
            MethodInvocationContext<Object, Object> context) {
        StoredArguments kept = arguments.of(bound.operation(), id, context.getParameterValues());
        return new ProtectedCall(
                engine,
                loops,
                listeners,
                (around, body) -> new Invocation(
                        bound.operation(),
                        id,
                        identified.fingerprint(),
                        body,
                        reconcilers.of(bound, context, around),
                        reloaders.of(bound, context, around),
                        CallContext.isNested(around),
                        identified.admission(),
                        kept),
                answered == null
                        ? null
                        : answered.of(context.getExecutableMethod(), bound.operation(), bound.retried()));
    }
}
