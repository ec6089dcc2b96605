package io.idempotency.runtime.messaging;

import com.rabbitmq.client.Channel;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.bind.ArgumentBinder;
import io.micronaut.core.type.Argument;
import io.micronaut.rabbitmq.bind.RabbitBinderRegistry;
import io.micronaut.rabbitmq.bind.RabbitConsumerState;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers the channel of a listener's argument, which Micronaut RabbitMQ binds on the listener's thread. */
@Singleton
@Requires(classes = RabbitBinderRegistry.class)
final class RabbitDeliveries implements BeanCreatedEventListener<RabbitBinderRegistry> {

    private final ThreadLocal<@Nullable Delivered> last = new ThreadLocal<>();

    private record Delivered(Object argument, Channel channel) {}

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
            if (result.isPresentAndSatisfied()) {
                last.set(new Delivered(result.get(), message.getChannel()));
            }
            return result;
        };
    }

    /** Returns and forgets the channel that delivered these arguments; null when no message did. */
    @Nullable
    Channel take(@Nullable Object[] arguments) {
        Delivered delivered = last.get();
        last.remove();
        if (delivered != null) {
            for (Object argument : arguments) {
                if (argument == delivered.argument()) {
                    return delivered.channel();
                }
            }
        }
        return null;
    }
}
