package io.idempotency.runtime.messaging;

import com.rabbitmq.client.Channel;
import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.IdempotentOperation;
import io.idempotency.OperationInProgressException;
import io.idempotency.runtime.intercept.RepeatedInvocation;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.order.Ordered;
import io.micronaut.rabbitmq.bind.RabbitBinderRegistry;
import jakarta.inject.Singleton;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a message whose call is refused for now, and tries the call again every second. A listener can only acknowledge
 * or reject a message, and a rejected one is lost or dead-lettered. So an application that stops closes the channel
 * instead, and the broker delivers the unacknowledged messages again. Leaves calls without a message alone.
 * Thread-safe.
 */
@Singleton
@Requires(classes = RabbitBinderRegistry.class)
@InterceptorBean(IdempotentOperation.class)
final class RefusedDeliveries
        implements MethodInterceptor<Object, Object>, ApplicationEventListener<ShutdownEvent>, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedDeliveries.class);

    private static final long MILLIS_BETWEEN_ATTEMPTS = 1000;

    private final RabbitDeliveries deliveries;
    private volatile boolean stopping;

    RefusedDeliveries(RabbitDeliveries deliveries) {
        this.deliveries = deliveries;
    }

    /** Runs around the operation, inside a retry that the application may have put on the method. */
    @Override
    public int getOrder() {
        return InterceptPhase.TRANSACTION.getPosition() - 11;
    }

    /** Ends holding: consumers are cancelled after this event, and wait for the messages that are held. */
    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        stopping = true;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        Channel channel = deliveries.take(context.getParameterValues());
        if (channel == null) {
            return context.proceed();
        }
        RepeatedInvocation.mark(context);
        while (true) {
            try {
                return context.proceed(this);
            } catch (OperationInProgressException
                    | IdempotencyStoreUnavailableException
                    | ApplicationShuttingDownException refusal) {
                LOG.debug("A message of RabbitMQ is held: {}", refusal.getMessage());
                boolean waited = pause();
                if (!waited || stopping || refusal instanceof ApplicationShuttingDownException) {
                    throw returned(refusal, channel);
                }
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(MILLIS_BETWEEN_ATTEMPTS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static IdempotencyException returned(IdempotencyException refusal, Channel channel) {
        try {
            channel.abort();
        } catch (IOException e) {
            refusal.addSuppressed(e);
        }
        return refusal;
    }
}
