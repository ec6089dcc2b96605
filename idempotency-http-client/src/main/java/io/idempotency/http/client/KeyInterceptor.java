package io.idempotency.http.client;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.definition.KeyExpression;
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
    static Optional<Intent> intentOf(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(INTENT).map(Intent.class::cast);
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        KeyedMethods.Keyed marked = methods.of(context.getExecutableMethod());
        if (!marked.sends()) {
            return context.proceed();
        }
        InterceptedMethod method = InterceptedMethod.of(context, conversion);
        try {
            Intent intent = intent(marked, context);
            RetryPolicy retry = RetryPolicy.canSendAgain(context.getParameterValues())
                    ? marked.retry()
                    : marked.retry().withoutRetries();
            ClientKeyScope scope = marked.declarative() ? null : new ClientKeyScope(intent, marked.service());
            return attempted(
                    new Sender(this, method, scope, PropagatedContext.getOrEmpty()),
                    new Attempts(marked.name(), retry, timer),
                    context.getReturnType().isSingleResult());
        } catch (Exception e) {
            return method.handleException(e);
        }
    }

    /** A publisher is a Mono where the method returns one: only micronaut-reactor can make one of a Flux. */
    private @Nullable Object attempted(Sender sender, Attempts attempts, boolean single) throws Exception {
        InterceptedMethod method = sender.method();
        return switch (method.resultType()) {
            case SYNCHRONOUS -> {
                try {
                    yield attempts.blocking(sender::send);
                } catch (Exception e) {
                    throw refusals.typed(e, attempts.call()) instanceof Exception typed ? typed : e;
                }
            }
            case COMPLETION_STAGE ->
                method.handleResult(
                        typed(attempts, attempts.reactive(() -> Mono.fromCompletionStage(sender::sendAsync)))
                                .next()
                                .toFuture());
            case PUBLISHER -> {
                Flux<Object> answers = typed(attempts, attempts.reactive(sender::publisher));
                yield method.handleResult(single ? answers.next() : answers);
            }
        };
    }

    private Flux<Object> typed(Attempts attempts, Flux<Object> answers) {
        return answers.onErrorMap(failure -> refusals.typed(failure, attempts.call()));
    }

    private static Intent intent(KeyedMethods.Keyed marked, MethodInvocationContext<Object, Object> context) {
        return intentOf(context).orElseGet(() -> {
            Intent intent = newIntent(marked, context);
            context.setAttribute(INTENT, intent);
            return intent;
        });
    }

    private static Intent newIntent(KeyedMethods.Keyed marked, MethodInvocationContext<Object, Object> context) {
        if (marked.hasExpression()) {
            String key = KeyExpression.evaluate(context, SendsIdempotencyKey.class);
            return Intent.explicit(marked.name(), key == null ? "" : key);
        }
        if (marked.keyParameter() != null) {
            return Intent.explicit(
                    marked.name(), marked.keyOf(context.getParameterValues()).orElse(""));
        }
        return Intent.open(marked.name(), marked.intentOf(context.getParameterValues()));
    }
}
