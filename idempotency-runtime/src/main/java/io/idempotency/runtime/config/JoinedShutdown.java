package io.idempotency.runtime.config;

import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.EmbeddedApplication;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import jakarta.inject.Singleton;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Takes part in Micronaut's own graceful shutdown, which Micronaut 4.8 lacks. */
@Singleton
@Requires(classes = GracefulShutdownCapable.class)
record JoinedShutdown(BeanContext context, BeanProvider<GracefulShutdown> shutdown)
        implements GracefulShutdownCapable, GracefulShutdown.LastAnswers {

    /** Long enough for a finished answer; a caller that does not read its answer is not waited for. */
    private static final long MILLIS_FOR_ANSWERS = 1000;

    @Override
    public CompletionStage<?> shutdownGracefully() {
        return shutdown.get().begin();
    }

    @Override
    public OptionalLong reportActiveTasks() {
        return OptionalLong.of(shutdown.get().running());
    }

    /** Shuts the servers down gracefully: the outcomes are recorded, but closing at once would cut callers off. */
    @Override
    public void letOut() {
        GracefulShutdownCapable.shutdownAll(context.getActiveBeanRegistrations(EmbeddedApplication.class).stream()
                        .map(BeanRegistration::getBean)
                        .filter(GracefulShutdownCapable.class::isInstance)
                        .map(GracefulShutdownCapable.class::cast))
                .toCompletableFuture()
                .handle((closed, failure) -> null) // servers are closed afterwards anyway
                .completeOnTimeout(null, MILLIS_FOR_ANSWERS, TimeUnit.MILLISECONDS)
                .join();
    }
}
