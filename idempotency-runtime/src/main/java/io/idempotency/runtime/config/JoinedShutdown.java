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

/** Takes part in Micronaut's own graceful shutdown, which Micronaut 4.8 does not have. */
@Singleton
@Requires(classes = GracefulShutdownCapable.class)
final class JoinedShutdown implements GracefulShutdownCapable, GracefulShutdown.LastAnswers {

    /** An answer that is there leaves at once; a caller that does not read it is not waited for. */
    private static final long MILLIS_FOR_ANSWERS = 1000;

    private final BeanContext context;
    private final BeanProvider<GracefulShutdown> shutdown;

    JoinedShutdown(BeanContext context, BeanProvider<GracefulShutdown> shutdown) {
        this.context = context;
        this.shutdown = shutdown;
    }

    @Override
    public CompletionStage<?> shutdownGracefully() {
        return shutdown.get().begin();
    }

    @Override
    public OptionalLong reportActiveTasks() {
        return OptionalLong.of(shutdown.get().running());
    }

    /** The outcomes are recorded, but a server that is closed the next moment would cut their callers off. */
    @Override
    public void letOut() {
        GracefulShutdownCapable.shutdownAll(context.getActiveBeanRegistrations(EmbeddedApplication.class).stream()
                        .map(BeanRegistration::getBean)
                        .filter(GracefulShutdownCapable.class::isInstance)
                        .map(GracefulShutdownCapable.class::cast))
                .toCompletableFuture()
                .handle((closed, failure) -> null) // what is left is closed anyway
                .completeOnTimeout(null, MILLIS_FOR_ANSWERS, TimeUnit.MILLISECONDS)
                .join();
    }
}
