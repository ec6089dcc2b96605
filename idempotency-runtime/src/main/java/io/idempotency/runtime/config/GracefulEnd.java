package io.idempotency.runtime.config;

import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.IdempotencyEngine.Left;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.order.Ordered;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets running operations end before the application closes its stores. It begins when the context stops, or earlier where
 * Micronaut's own graceful shutdown is on, and the context goes on closing beans only when it is over.
 */
@Singleton
final class GracefulEnd implements ApplicationEventListener<ShutdownEvent>, GracefulShutdownCapable, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(GracefulEnd.class);

    private final BeanContext context;
    private final Duration limit;
    private @Nullable CompletableFuture<?> ending;

    GracefulEnd(BeanContext context, IdempotencyConfiguration configuration) {
        this.context = context;
        this.limit = configuration.getShutdownTimeout();
    }

    /** Before whatever else listens, and may close what a body still needs. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        shutdownGracefully().toCompletableFuture().join();
    }

    @Override
    public synchronized CompletionStage<?> shutdownGracefully() {
        if (ending == null) {
            ending = CompletableFuture.allOf(context.getActiveBeanRegistrations(IdempotencyEngine.class).stream()
                    .map(BeanRegistration::getBean)
                    .map(engine -> engine.shutDown(limit).thenAccept(this::report).toCompletableFuture())
                    .toArray(CompletableFuture[]::new));
        }
        return ending;
    }

    private void report(Left left) {
        if (left.running() > 0 || left.untold() > 0) {
            LOG.warn(
                    "The application stops after {} (idempotency.shutdown-timeout) with {} idempotent operations still"
                            + " running and {} outcomes that their store could not be told. Their keys stay in progress,"
                            + " and after their lease the outcome is unknown, unless they are recorded meanwhile.",
                    limit,
                    left.running(),
                    left.untold());
        }
    }
}
