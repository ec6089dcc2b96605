package io.idempotency.http.client;

import io.idempotency.SendsIdempotencyKey;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.client.HttpClient;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private final RetryRules rules;
    private final RetryTimer timer;
    private final RemoteRefusals refusals;
    private final ConversionService conversion;

    KeyInterceptor(
            KeyedMethods methods,
            RetryRules rules,
            RetryTimer timer,
            RemoteRefusals refusals,
            ConversionService conversion) {
        this.methods = methods;
        this.rules = rules;
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
    static Optional<Intent> intentOf(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(INTENT).map(Intent.class::cast);
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        KeyedMethod marked = methods.of(context.getExecutableMethod());
        if (!marked.sends()) {
            return context.proceed();
        }
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            Intent intent = intent(marked, context);
            RetryPolicy retry = Resendable.all(context.getParameterValues())
                    ? marked.retry()
                    : marked.retry().withoutRetries();
            Attempts attempts = new Attempts(marked.name(), retry, rules, timer);
            ClientKeyScope scope = marked.declarative() ? null : new ClientKeyScope(intent, marked.service());
            boolean single = context.getReturnType().isSingleResult();
            return attempted(new Sender(this, method, single, scope, PropagatedContext.getOrEmpty()), attempts);
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    private @Nullable Object attempted(Sender sender, Attempts attempts) throws Exception {
        return switch (sender.method().resultType()) {
            case SYNCHRONOUS -> typed(attempts.blocking(sender::send), attempts).get();
            case COMPLETION_STAGE ->
                sender.method()
                        .handleResult(attempts.stage(sender::sendAsync)
                                .thenCompose(outcome -> typed(outcome, attempts).asStage()));
            case PUBLISHER ->
                sender.method()
                        .handleResult(new ReactiveAttempts(attempts)
                                .all(
                                        sender::publisher,
                                        sender.single(),
                                        failure -> refusals.typed(failure, attempts.call())));
        };
    }

    private AttemptOutcome typed(AttemptOutcome outcome, Attempts attempts) {
        Throwable failure = outcome.failure();
        return failure == null ? outcome : AttemptOutcome.failed(refusals.typed(failure, attempts.call()));
    }

    private static Intent intent(KeyedMethod marked, MethodInvocationContext<Object, Object> context) {
        Optional<Intent> known = intentOf(context);
        if (known.isPresent()) {
            return known.get();
        }
        Intent intent = newIntent(marked, context);
        context.setAttribute(INTENT, intent);
        return intent;
    }

    private static Intent newIntent(KeyedMethod marked, MethodInvocationContext<Object, Object> context) {
        if (marked.hasExpression()) {
            return Intent.explicit(
                    marked.name(),
                    context.stringValue(SendsIdempotencyKey.class, "key").orElse(""));
        }
        if (marked.keyParameter() != null) {
            return Intent.explicit(
                    marked.name(), marked.keyOf(context.getParameterValues()).orElse(""));
        }
        return Intent.open(marked.name(), marked.intentOf(context.getParameterValues()));
    }
}
