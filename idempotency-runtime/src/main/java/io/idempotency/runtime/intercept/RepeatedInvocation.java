package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.RunningCall;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.retry.event.RetryEvent;
import jakarta.inject.Singleton;

/** Marks an invocation that advice around the operation may repeat: all attempts are one call, with one key. */
public final class RepeatedInvocation {

    private static final String MARK = RepeatedInvocation.class.getName();

    private RepeatedInvocation() {}

    /** Keeps the key and fingerprint of the first attempt, whatever the body does to its arguments. */
    public static void mark(MethodInvocationContext<?, ?> invocation) {
        invocation.setAttribute(MARK, true);
    }

    static boolean is(MethodInvocationContext<?, ?> invocation) {
        return invocation.getAttribute(MARK).isPresent();
    }

    /** Reports failed attempts of {@code @Retryable} calls to the body's claim: the last exception hides the others. */
    @Singleton
    @Requires(classes = RetryEvent.class)
    static final class RetriedCalls implements ApplicationEventListener<RetryEvent> {

        @Override
        public void onApplicationEvent(RetryEvent event) {
            PropagatedContext.getOrEmpty()
                    .find(IdempotencyContext.class)
                    .filter(RunningCall.class::isInstance)
                    .map(RunningCall.class::cast)
                    .ifPresent(call -> call.retried(event.getThrowable()));
        }
    }
}
