package io.idempotency.http.client;

import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Makes one attempt of a call, each in the context in which the call was made.
 *
 * @param from the interceptor that the attempt goes on from
 * @param method the method
 * @param scope the key for low-level clients, null for a declarative client, whose invocation carries it
 * @param caller the context of the call
 */
record Sender(
        MethodInterceptor<?, ?> from,
        InterceptedMethod method,
        @Nullable ClientKeyScope scope,
        PropagatedContext caller) {

    @Nullable
    Object send() {
        try (PropagatedContext.Scope ignored = scoped(caller).propagate()) {
            return method.interceptResult(from);
        }
    }

    CompletionStage<?> sendAsync() {
        try (PropagatedContext.Scope ignored = scoped(caller).propagate()) {
            return method.interceptResultAsCompletionStage(from);
        }
    }

    /** Subscribing again, after a delay for instance, happens on a thread that does not have the call's context. */
    Publisher<?> publisher() {
        PropagatedContext subscriber = PropagatedContext.getOrEmpty();
        PropagatedContext context = scoped(subscriber.getAllElements().isEmpty() ? caller : subscriber);
        try (PropagatedContext.Scope ignored = context.propagate()) {
            return ReactivePropagation.propagate(context, method.interceptResultAsPublisher(from));
        }
    }

    private PropagatedContext scoped(PropagatedContext context) {
        return scope == null ? context : context.plus(scope);
    }
}
