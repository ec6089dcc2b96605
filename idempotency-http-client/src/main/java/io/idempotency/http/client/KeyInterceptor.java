package io.idempotency.http.client;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.definition.KeyExpression;
import io.idempotency.runtime.config.ExpressionKey;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.async.propagation.ReactorPropagation;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.CustomHttpMethod;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives a call its one key and makes its attempts. The key stays with the invocation, which an interceptor around this
 * one reuses for its own attempts.
 */
@Singleton
@InterceptorBean(SendsIdempotencyKey.class)
record KeyInterceptor(ClientPolicies policies, RetryLoop.Timer timer, ConversionService conversion)
        implements MethodInterceptor<Object, Object> {

    /** The attribute of an invocation that holds its call, for all its attempts. */
    private static final String INTENT = "io.idempotency.intent";

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    /** Runs innermost: inside an operation, whose body then makes the call, and inside {@code @Retryable}. */
    @Override
    public int getOrder() {
        return InterceptPhase.TRANSACTION.getPosition() + 10;
    }

    static Optional<LogicalCall> intentOf(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(INTENT).map(LogicalCall.class::cast);
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        ExecutableMethod<?, ?> called = context.getExecutableMethod();
        boolean declarative = called.hasStereotype(Client.class);
        if (declarative && !carriesKey(called)) {
            return context.proceed();
        }
        String service = (declarative
                        ? called.stringValue(Client.class)
                        : called.stringValue(SendsIdempotencyKey.class, "service"))
                .orElse("");
        String name = called.stringValue(SendsIdempotencyKey.class)
                .filter(written -> !written.isEmpty())
                .orElse(named(called));
        RetryPolicy policy = policies.retryOfMethod(called, service).with(context.getParameterValues());
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            LogicalCall intent = intentOf(context).orElseGet(() -> newIntent(name, context));
            context.setAttribute(INTENT, intent);
            RetryLoop attempts = new RetryLoop(intent, policy, timer);
            // a declarative client's invocation carries the key
            LogicalCall.Scope scope = declarative ? null : new LogicalCall.Scope(intent, service);
            PropagatedContext caller = PropagatedContext.getOrEmpty();
            return switch (method.resultType()) {
                case SYNCHRONOUS ->
                    attempts.blocking(() -> scoped(caller, scope).propagate(() -> method.interceptResult(this)));
                case COMPLETION_STAGE ->
                    method.handleResult(attempts.reactive(() -> Mono.fromCompletionStage(() -> scoped(caller, scope)
                                    .propagate(() -> method.interceptResultAsCompletionStage(this))))
                            .next()
                            .toFuture());
                case PUBLISHER -> {
                    Flux<Object> answers = attempts.reactive(() -> Flux.deferContextual(reactor -> {
                        PropagatedContext other = ReactorPropagation.findPropagatedContext(reactor)
                                .filter(it -> !it.getAllElements().isEmpty())
                                .orElse(caller);
                        PropagatedContext subscriber = scoped(other, scope);
                        return ReactivePropagation.propagate(
                                subscriber, subscriber.propagate(() -> method.interceptResultAsPublisher(this)));
                    }));
                    // a Mono for a method that returns one: only micronaut-reactor converts a Flux to it
                    yield method.handleResult(context.getReturnType().isSingleResult() ? answers.next() : answers);
                }
            };
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    /** Returns the context of an attempt: the other one on a thread, of a later subscription say, that has none. */
    private static PropagatedContext scoped(PropagatedContext other, LogicalCall.@Nullable Scope scope) {
        PropagatedContext current = PropagatedContext.getOrEmpty();
        PropagatedContext context = current.getAllElements().isEmpty() ? other : current;
        return scope == null ? context : context.plus(scope.ofAttempt());
    }

    /** Tells whether requests of a method carry a key: for an annotated type, as the HTTP method is configured. */
    private boolean carriesKey(ExecutableMethod<?, ?> method) {
        Optional<String> sent = httpMethod(method);
        return sent.isPresent()
                && !KeyFilter.SAFE.contains(sent.get())
                && (method.hasDeclaredStereotype(SendsIdempotencyKey.class) || policies.carriesKey(sent.get()));
    }

    private static Optional<String> httpMethod(ExecutableMethod<?, ?> method) {
        return method.stringValue(CustomHttpMethod.class, "method")
                .or(() -> method.getAnnotationNameByStereotype(HttpMethodMapping.class)
                        .map(name -> name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT)));
    }

    private static String named(ExecutableMethod<?, ?> method) {
        return method.getDeclaringType().getName() + "#" + method.getMethodName();
    }

    private static LogicalCall newIntent(String name, MethodInvocationContext<?, ?> call) {
        ExecutableMethod<?, ?> method = call.getExecutableMethod();
        if (method.isPresent(SendsIdempotencyKey.class, "key")) {
            return LogicalCall.explicit(
                    name,
                    Objects.toString(ExpressionKey.of(KeyExpression.evaluate(call, SendsIdempotencyKey.class)), ""));
        }
        // clients may inherit a method, and methods may share a name: another request is another call
        List<@Nullable Object> intent = new ArrayList<>(List.of(
                method.stringValue(Client.class).orElse(""),
                method.stringValue(Client.class, "path").orElse(""),
                method.hasStereotype(Client.class) ? httpMethod(method) : named(method),
                method.stringValue(HttpMethodMapping.class).orElse("")));
        for (int i = 0; i < method.getArguments().length; i++) {
            Argument<?> parameter = method.getArguments()[i];
            AnnotationMetadata marks = parameter.getAnnotationMetadata();
            Object value = call.getParameterValues()[i];
            if (marks.hasStereotype(IdempotencyKey.class) && !method.hasStereotype(IdempotentOperation.class)) {
                return LogicalCall.explicit(name, Objects.toString(value, ""));
            } else if (!marks.hasStereotype(NotFingerprinted.class)
                    && !CONTINUATION.equals(parameter.getType().getName())) {
                intent.add(value);
            }
        }
        return LogicalCall.open(name, () -> LogicalCall.Content.of(intent));
    }
}
