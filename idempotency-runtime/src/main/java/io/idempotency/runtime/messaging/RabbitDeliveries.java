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

/** Knows the channel that delivered a listener's argument: Micronaut RabbitMQ binds it on the thread that calls the listener. */
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

    /** Returns and forgets the channel of the call with these arguments; null where no message brought them. */
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
