package io.idempotency.http.client;

import io.idempotency.SendsIdempotencyKey;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.client.HttpClient;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives a call its one key, makes its attempts, and types its refusals. The key stays with the invocation, which is the
 * same for every attempt that an interceptor around this one makes.
 */
@Singleton
@InterceptorBean(SendsIdempotencyKey.class)
@Requires(classes = HttpClient.class)
final class KeyInterceptor implements MethodInterceptor<Object, Object> {

    private static final String INTENT = "io.idempotency.intent";

    private final KeyedMethods methods;
    private final RetryTimer timer;
    private final RemoteRefusals refusals;
    private final ConversionService conversion;

    KeyInterceptor(KeyedMethods methods, RetryTimer timer, RemoteRefusals refusals, ConversionService conversion) {
        this.methods = methods;
        this.timer = timer;
        this.refusals = refusals;
        this.conversion = conversion;
    }

    /** Innermost: inside an operation, whose body the call is then, and inside {@code @Retryable}. */
    @Override
    public int getOrder() {
        return InterceptPhase.TRANSACTION.getPosition() + 10;
    }

    /** The intent of the call that an invocation makes, if it makes one. */
    static Optional<LogicalCall> intentOf(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(INTENT).map(LogicalCall.class::cast);
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        KeyedMethods.Keyed marked = methods.of(context.getExecutableMethod());
        if (!marked.sends()) {
            return context.proceed();
        }
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            LogicalCall intent = intent(marked, context);
            RetryPolicy retry = RetryPolicy.canSendAgain(context.getParameterValues())
                    ? marked.retry()
                    : marked.retry().withoutRetries();
            // a declarative client's invocation carries the key
            LogicalCall.Scope scope = marked.declarative() ? null : new LogicalCall.Scope(intent, marked.service());
            RetryLoop attempts = new RetryLoop(marked.name(), retry, timer);
            PropagatedContext caller = PropagatedContext.getOrEmpty();
            PropagatedContext around = scoped(caller, scope);
            return switch (method.resultType()) {
                case SYNCHRONOUS -> blocking(method, attempts, around);
                case COMPLETION_STAGE ->
                    method.handleResult(typed(
                                    attempts,
                                    () -> Mono.fromCompletionStage(
                                            () -> in(around, () -> method.interceptResultAsCompletionStage(this))))
                            .next()
                            .toFuture());
                case PUBLISHER -> {
                    Flux<Object> answers = typed(attempts, () -> published(method, scope, caller));
                    // a Mono where the method returns one: only micronaut-reactor can make one of a Flux
                    yield method.handleResult(context.getReturnType().isSingleResult() ? answers.next() : answers);
                }
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    private static PropagatedContext scoped(PropagatedContext context, LogicalCall.@Nullable Scope scope) {
        return scope == null ? context : context.plus(scope);
    }

    private @Nullable Object blocking(InterceptedMethod method, RetryLoop attempts, PropagatedContext around)
            throws Exception {
        try {
            return attempts.blocking(() -> in(around, () -> method.interceptResult(this)));
        } catch (Exception e) {
            throw refusals.typed(e, attempts.call()) instanceof Exception typed ? typed : e;
        }
    }

    /** Subscribing again, after a delay for instance, happens on a thread that does not have the call's context. */
    private Publisher<?> published(
            InterceptedMethod method, LogicalCall.@Nullable Scope scope, PropagatedContext caller) {
        PropagatedContext subscriber = PropagatedContext.getOrEmpty();
        PropagatedContext around = scoped(subscriber.getAllElements().isEmpty() ? caller : subscriber, scope);
        return ReactivePropagation.propagate(around, in(around, () -> method.interceptResultAsPublisher(this)));
    }

    /** Each attempt is made in the context in which the call was made. */
    private static <T extends @Nullable Object> T in(PropagatedContext around, Supplier<T> attempt) {
        try (PropagatedContext.Scope ignored = around.propagate()) {
            return attempt.get();
        }
    }

    private Flux<Object> typed(RetryLoop attempts, Supplier<? extends Publisher<?>> attempt) {
        return attempts.reactive(attempt).onErrorMap(failure -> refusals.typed(failure, attempts.call()));
    }

    private static LogicalCall intent(KeyedMethods.Keyed marked, MethodInvocationContext<Object, Object> context) {
        return intentOf(context).orElseGet(() -> {
            LogicalCall intent = marked.intent().apply(context);
            context.setAttribute(INTENT, intent);
            return intent;
        });
    }
}
