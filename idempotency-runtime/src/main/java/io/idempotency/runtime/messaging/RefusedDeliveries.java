package io.idempotency.runtime.messaging;

import com.rabbitmq.client.Channel;
import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.config.BackgroundTasks;
import io.idempotency.runtime.intercept.RepeatedInvocation;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.bind.ArgumentBinder;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.type.Argument;
import io.micronaut.rabbitmq.bind.RabbitBinderRegistry;
import io.micronaut.rabbitmq.bind.RabbitConsumerState;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private static final String CHANNEL = "io.idempotency.channel";

    private final RabbitDeliveries deliveries;
    private final BackgroundTasks tasks;
    private volatile boolean stopping;

    RefusedDeliveries(RabbitDeliveries deliveries, BackgroundTasks tasks) {
        this.tasks = tasks;
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
        Object kept = context.getAttribute(CHANNEL).orElse(null);
        Channel channel = kept instanceof Channel known ? known : deliveries.take(context.getParameterValues());
        if (channel == null) {
            return context.proceed();
        }
        context.setAttribute(CHANNEL, channel); // for the next attempt of a retry around this
        RepeatedInvocation.mark(context);
        while (true) {
            try {
                return context.proceed(this);
            } catch (IdempotencyException refusal) {
                if (refusal.retry() != IdempotencyException.Retry.SAME_KEY || !channel.isOpen()) {
                    throw refusal;
                }
                LOG.debug("A message of RabbitMQ is held: {}", refusal.getMessage());
                boolean waited = tasks.pause(BETWEEN_ATTEMPTS);
                if (!waited || stopping || stops(refusal)) {
                    throw returned(refusal, channel);
                }
            }
        }
    }

    /** Tells whether this application stops, and not one that the body called: its refusals have no key of ours. */
    private static boolean stops(IdempotencyException refusal) {
        return refusal instanceof ApplicationShuttingDownException && refusal.keyHash() != null;
    }

    private static IdempotencyException returned(IdempotencyException refusal, Channel channel) {
        try {
            channel.abort();
        } catch (IOException e) {
            refusal.addSuppressed(e);
        }
        return refusal;
    }

    /** Remembers the channel of a listener's arguments, which Micronaut RabbitMQ binds on the listener's thread. */
    @Singleton
    @Requires(classes = RabbitBinderRegistry.class)
    static final class RabbitDeliveries implements BeanCreatedEventListener<RabbitBinderRegistry> {

        private final ThreadLocal<@Nullable Delivered> last = new ThreadLocal<>();

        private record Delivered(RabbitConsumerState message, List<Object> arguments) {

            /**
             * Tells whether all arguments are the message's. A primitive one is another object each time, so that primitive
             * ones alone have to be as many as were bound: a listener may call an operation, too.
             */
            boolean has(@Nullable Object[] all) {
                List<Object> given = Stream.of(all).filter(Objects::nonNull).toList();
                return (given.size() == arguments.size() || !given.stream().allMatch(RabbitDeliveries::isBoxed))
                        && given.stream()
                                .allMatch(own -> arguments.stream()
                                        .anyMatch(bound -> bound == own || isBoxed(own) && bound.equals(own)));
            }
        }

        private static boolean isBoxed(Object argument) {
            return argument instanceof Number || argument instanceof Boolean || argument instanceof Character;
        }

        @Override
        public RabbitBinderRegistry onCreated(BeanCreatedEvent<RabbitBinderRegistry> event) {
            RabbitBinderRegistry registry = event.getBean();
            return new RabbitBinderRegistry(null) {
                @Override
                public <T> Optional<ArgumentBinder<T, RabbitConsumerState>> findArgumentBinder(Argument<T> argument) {
                    return registry.findArgumentBinder(argument).map(RabbitDeliveries.this::noting);
                }
            };
        }

        private <T> ArgumentBinder<T, RabbitConsumerState> noting(ArgumentBinder<T, RabbitConsumerState> binder) {
            return (context, message) -> {
                ArgumentBinder.BindingResult<T> result = binder.bind(context, message);
                if (!result.isPresentAndSatisfied()) {
                    return result;
                }
                T value = result.get(); // once: a lazy binder makes another object each time
                Delivered before = last.get();
                Delivered now = before != null && before.message() == message
                        ? before
                        : new Delivered(message, new ArrayList<>());
                now.arguments().add(value);
                last.set(now);
                return () -> Optional.of(value);
            };
        }

        /** Returns and forgets the channel that delivered these arguments; null when no message did. */
        @Nullable
        Channel take(@Nullable Object[] arguments) {
            Delivered delivered = last.get();
            last.remove();
            return delivered != null && delivered.has(arguments)
                    ? delivered.message().getChannel()
                    : null;
        }
    }
}
