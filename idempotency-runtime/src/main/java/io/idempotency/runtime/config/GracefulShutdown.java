package io.idempotency.runtime.config;

import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.IdempotencyEngine.Left;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.order.Ordered;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets running operations end before the application closes the beans that they and their stores need. Begins when the
 * context stops, or earlier with Micronaut's own graceful shutdown; beans are closed only afterwards. Thread-safe.
 */
@Context // a closing context creates no beans
final class GracefulShutdown implements ApplicationEventListener<ShutdownEvent>, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);

    private final BeanContext context;
    private final Duration limit;
    private final @Nullable LastAnswers answers;
    private @Nullable CompletableFuture<?> ending;

    /** Sends the answers of the bodies that end last. */
    interface LastAnswers {

        /** Waits until the answers have left, or their time is over. */
        void letOut();
    }

    GracefulShutdown(BeanContext context, IdempotencyConfiguration configuration, @Nullable LastAnswers answers) {
        this.context = context;
        this.answers = answers;
        this.limit = configuration.getShutdownTimeout();
    }

    /** After Micronaut's own listener, which begins everything at once; before any that may close what a body needs. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 1;
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        boolean answersDue = running() > 0;
        begin().toCompletableFuture().join();
        if (answersDue && answers != null) {
            answers.letOut();
        }
    }

    /** Refuses new bodies. The stage completes when the running ones have ended or their time is over. */
    synchronized CompletionStage<?> begin() {
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

    /** Uses a thread of its own, because the application's executors may stop meanwhile. */
    private CompletableFuture<?> ended(IdempotencyEngine engine) {
        return CompletableFuture.runAsync(() -> report(engine.shutDown(limit)), task -> {
            Thread thread = new Thread(task, "idempotency-shutdown");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Returns the number of running bodies. */
    long running() {
        return engines().mapToInt(IdempotencyEngine::running).sum();
    }

    private Stream<IdempotencyEngine> engines() {
        // an engine that was never used need not be created in order to stop
        return context.getActiveBeanRegistrations(IdempotencyEngine.class).stream()
                .map(BeanRegistration::getBean);
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
