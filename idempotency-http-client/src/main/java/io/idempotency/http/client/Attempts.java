package io.idempotency.http.client;

import io.micronaut.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One logical call, attempt by attempt, until an outcome is final. */
record Attempts(String call, RetryPolicy policy, RetryRules rules, RetryTimer timer) {

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    /** On the caller's thread, which waits. */
    AttemptOutcome blocking(Callable<? extends @Nullable Object> attempt) {
        boolean ranBefore = false;
        for (int sent = 1; ; sent++) {
            AttemptOutcome outcome = AttemptOutcome.of(attempt).hidingNothing(ranBefore);
            ranBefore |= outcome.mayHaveRun();
            Optional<Duration> delay = delayAfter(outcome, sent);
            if (delay.isEmpty() || !paused(delay.get())) {
                return outcome;
            }
        }
    }

    private boolean paused(Duration delay) {
        try {
            timer.pause(delay);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** On no thread between two attempts. */
    CompletionStage<AttemptOutcome> stage(Callable<? extends CompletionStage<?>> attempt) {
        return stage(attempt, 1, false);
    }

    private CompletionStage<AttemptOutcome> stage(
            Callable<? extends CompletionStage<?>> attempt, int sent, boolean ranBefore) {
        return started(attempt).thenCompose(ended -> {
            AttemptOutcome outcome = ended.hidingNothing(ranBefore);
            Optional<Duration> delay = delayAfter(outcome, sent);
            if (delay.isEmpty()) {
                return CompletableFuture.completedFuture(outcome);
            }
            CompletableFuture<@Nullable Void> waited = new CompletableFuture<>();
            timer.after(delay.get(), () -> waited.complete(null));
            return waited.thenCompose(again -> stage(attempt, sent + 1, ranBefore || outcome.mayHaveRun()));
        });
    }

    private static CompletionStage<AttemptOutcome> started(Callable<? extends CompletionStage<?>> attempt) {
        AttemptOutcome start = AttemptOutcome.of(attempt);
        return start.answer() instanceof CompletionStage<?> stage
                ? stage.handle((answer, failure) -> AttemptOutcome.of(answer, failure))
                : CompletableFuture.completedFuture(start);
    }

    /** Empty when the outcome is final. */
    Optional<Duration> delayAfter(AttemptOutcome outcome, int sent) {
        Throwable failure = outcome.failure();
        Optional<Duration> delay = failure != null
                ? rules.afterFailure(failure, sent, policy)
                : outcome.answer() instanceof HttpResponse<?> response
                        ? rules.afterAnswer(response, sent, policy)
                        : Optional.empty();
        delay.ifPresent(span -> LOG.debug(
                "{}: attempt {} of {} failed, the next one with the same key follows in {} ms",
                call,
                sent,
                policy.retries() + 1,
                span.toMillis(),
                failure));
        return delay;
    }
}
