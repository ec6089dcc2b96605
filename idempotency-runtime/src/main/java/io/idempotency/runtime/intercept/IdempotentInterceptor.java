package io.idempotency.runtime.intercept;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.UnprotectedContext;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.store.StoredArguments;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adapts an intercepted method call to the engine, and its outcome back to Micronaut. */
@Singleton
@InterceptorBean(IdempotentOperation.class)
record IdempotentInterceptor(
        Calls calls,
        Operations operations,
        CallIdentity identity,
        BeanMethods.Reconcilers reconcilers,
        BeanMethods.Reloaders reloaders,
        ArgumentsCodec arguments,
        @io.micronaut.core.annotation.Nullable AnsweredCalls answered,
        ConversionService conversion)
        implements MethodInterceptor<Object, Object> {

    private static final String IDENTITY = CallIdentity.class.getName();
    private static final String UNPROTECTED = UnprotectedContext.class.getName();

    /** A call and the arguments that its claim keeps, as they were before its body could change them. */
    private record Identified(
            KeyScope.Scoped call, @Nullable StoredArguments kept) {}

    /** Inside validation, cache and retry; outside the transaction, whose rollback must not undo the claim. */
    @Override
    public int getOrder() {
        return InterceptPhase.TRANSACTION.getPosition() - 10;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            Calls.Call call = call(context);
            return switch (method.resultType()) {
                case SYNCHRONOUS ->
                    call.execute(with -> CompletableFuture.completedFuture(method.interceptResult(this)));
                case COMPLETION_STAGE -> {
                    // of its own: a suspend function's has one continuation, which it and the answer replace
                    InterceptedMethod body = InterceptedMethod.of(context, conversion);
                    Calls.Body run = with -> body.interceptResultAsCompletionStage(this);
                    yield method.handleResult(
                            context.isSuspend()
                                    ? SuspendingCall.stage(call, context.getParameterValues(), run)
                                    : call.stage(CallContext.current(), null, run));
                }
                case PUBLISHER ->
                    method.handleResult(ReactiveCall.deferred(call, () -> method.interceptResultAsPublisher(this)));
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    private Calls.Call call(MethodInvocationContext<Object, Object> context) {
        ExecutableMethod<?, ?> method = context.getExecutableMethod();
        if (!calls.enabled()) {
            String name = GeneratedDefinitions.of(method).name();
            return calls.withoutKey(name, unprotected(name, Operations.isRetried(method), context));
        }
        Bound bound = operations.ofCall(method);
        Supplier<Optional<Identified>> made = () -> identity.of(bound, context)
                .map(call ->
                        new Identified(call, arguments.of(bound.operation(), call.id(), context.getParameterValues())));
        Optional<Identified> identified =
                bound.retried() || RepeatedInvocation.is(context) ? remembered(IDENTITY, made, context) : made.get();
        if (identified.isEmpty()) {
            String name = bound.operation().name();
            return calls.withoutKey(name, unprotected(name, bound.retried(), context));
        }
        KeyScope.Scoped call = identified.get().call();
        return calls.withKey(
                (around, body) -> new Invocation(
                        bound.operation(),
                        call.id(),
                        call.fingerprint(),
                        body,
                        reconcilers.of(bound, context, around),
                        reloaders.of(bound, context, around),
                        CallContext.isNested(around),
                        call.admission(),
                        identified.get().kept()),
                answered == null ? null : answered.of(method, bound.operation(), bound.retried()));
    }

    private static Supplier<UnprotectedContext> unprotected(
            String operation, boolean retried, MethodInvocationContext<Object, Object> context) {
        Supplier<UnprotectedContext> made = () -> new UnprotectedContext(operation);
        if (!retried) {
            return made;
        }
        UnprotectedContext known = remembered(UNPROTECTED, made, context);
        return () -> known;
    }

    /** Returns the value of the first attempt: a retry is the same call, whatever the body did to its arguments. */
    @SuppressWarnings("unchecked") // the value that was put there below
    private static <T> T remembered(
            String attribute, Supplier<T> made, MethodInvocationContext<Object, Object> context) {
        T known = (T) context.getAttribute(attribute).orElseGet(made);
        context.setAttribute(attribute, known);
        return known;
    }
}
