package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.RunningCall;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.retry.event.RetryEvent;
import jakarta.inject.Singleton;

/** Reports failed attempts of {@code @Retryable} calls to the body's claim: the last exception hides the others. */
@Singleton
@Requires(classes = RetryEvent.class)
final class RetriedCalls implements ApplicationEventListener<RetryEvent> {

    @Override
    public void onApplicationEvent(RetryEvent event) {
        PropagatedContext.getOrEmpty()
                .find(IdempotencyContext.class)
                .filter(RunningCall.class::isInstance)
                .map(RunningCall.class::cast)
                .ifPresent(call -> call.retried(event.getThrowable()));
    }
}
