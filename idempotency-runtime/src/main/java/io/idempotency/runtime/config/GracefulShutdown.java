package io.idempotency.runtime.config;

import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.IdempotencyEngine.Left;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.order.Ordered;
import io.micronaut.runtime.EmbeddedApplication;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets running operations end before the application closes what they and their stores need. It begins when the context stops,
 * or earlier where Micronaut's own graceful shutdown is on; the context closes beans only when it is over. Thread-safe.
 */
@Context // from the start: a wrong time-out is to stop the application then
final class GracefulShutdown implements ApplicationEventListener<ShutdownEvent>, GracefulShutdownCapable, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);

    /** An answer that is there leaves at once; a caller that does not read it is not waited for. */
    private static final long MILLIS_FOR_ANSWERS = 1000;

    private final BeanContext context;
    private final Duration limit;
    private @Nullable CompletableFuture<?> ending;

    GracefulShutdown(BeanContext context, IdempotencyConfiguration configuration) {
        this.context = context;
        this.limit = configuration.getShutdownTimeout();
        PolicyCheck.require("shutdown-timeout", limit);
    }

    /** After Micronaut's own, which begins everything at once; before whatever else may close what a body still needs. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        boolean answersDue = running() > 0;
        shutdownGracefully().toCompletableFuture().join();
        if (answersDue) {
            letAnswersOut();
        }
    }

    @Override
    public synchronized CompletionStage<?> shutdownGracefully() {
        if (ending == null) {
            if (running() > 0) {
                LOG.info(
                        "Waiting up to {} (idempotency.shutdown-timeout) for {} idempotent operations",
                        limit,
                        running());
            }
            ending = CompletableFuture.allOf(engines().map(this::ended).toArray(CompletableFuture[]::new));
        }
        return ending;
    }

    /** On a thread of its own: the application's executors may stop meanwhile. */
    private CompletableFuture<?> ended(IdempotencyEngine engine) {
        return CompletableFuture.runAsync(() -> report(engine.shutDown(limit)), task -> {
            Thread thread = new Thread(task, "idempotency-shutdown");
            thread.setDaemon(true);
            thread.start();
        });
    }

    @Override
    public OptionalLong reportActiveTasks() {
        return OptionalLong.of(running());
    }

    private long running() {
        return engines().mapToInt(IdempotencyEngine::running).sum();
    }

    private Stream<IdempotencyEngine> engines() {
        return active(IdempotencyEngine.class);
    }

    /** What was never used need not be created in order to be stopped. */
    private <T> Stream<T> active(Class<T> type) {
        return context.getActiveBeanRegistrations(type).stream().map(BeanRegistration::getBean);
    }

    /** The outcomes are recorded, but a server that is closed the next moment would cut their callers off. */
    private void letAnswersOut() {
        GracefulShutdownCapable.shutdownAll(active(EmbeddedApplication.class)
                        .filter(GracefulShutdownCapable.class::isInstance)
                        .map(GracefulShutdownCapable.class::cast))
                .toCompletableFuture()
                .handle((closed, failure) -> null) // what is left is closed anyway
                .completeOnTimeout(null, MILLIS_FOR_ANSWERS, TimeUnit.MILLISECONDS)
                .join();
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
