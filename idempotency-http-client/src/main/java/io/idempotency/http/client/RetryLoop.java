package io.idempotency.http.client;

import io.idempotency.runtime.http.UnsentRequests;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.exceptions.HttpClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Makes the attempts of one logical call until an outcome is final. */
record RetryLoop(String call, RetryPolicy policy, RetryTimer timer) {

    private static final Logger LOG = LoggerFactory.getLogger(RetryLoop.class);

    /** Makes them on the caller's thread, which waits in between. */
    @SuppressWarnings("CatchingUnchecked") // a client method may throw anything
    @Nullable
    Object blocking(Callable<? extends @Nullable Object> attempt) throws Exception {
        Series series = new Series();
        while (true) {
            Object answer = null;
            Exception failure = null;
            try {
                answer = attempt.call();
            } catch (Exception e) {
                failure = series.shown(e);
            }
            Optional<Duration> delay = series.delay(answer, failure);
            if (delay.isEmpty() || !paused(delay.get())) {
                if (failure != null) {
                    throw failure;
                }
                return answer;
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

    /** Makes them anew for each subscriber, and holds no thread in between. Cancelling the subscription ends them. */
    Flux<Object> reactive(Supplier<? extends Publisher<?>> attempt) {
        return Flux.defer(() -> {
            Series series = new Series();
            return Flux.defer(() -> series.watched(attempt.get()))
                    .retryWhen(Retry.from(signals -> signals.concatMap(signal -> waited(series, signal.failure()))));
        });
    }

    private Mono<Boolean> waited(Series series, Throwable failure) {
        Throwable shown = failure instanceof Exception exception ? series.shown(exception) : failure;
        Optional<Duration> delay =
                failure instanceof NotTheLast answer ? Optional.of(answer.delay) : series.delay(null, shown);
        return delay.map(span ->
                        Mono.<Boolean>create(sink -> sink.onDispose(timer.after(span, () -> sink.success(true))::run)))
                .orElseGet(() -> Mono.error(shown));
    }

    /** The attempts of one caller. */
    private final class Series {

        private int sent;
        private boolean mayHaveRun;
        private boolean begun;

        /**
         * The delay after an answer or a failure; empty when it is the last one. A subscriber that has seen the beginning of a stream must
         * not see it again.
         */
        Optional<Duration> delay(@Nullable Object answer, @Nullable Throwable failure) {
            sent++;
            mayHaveRun |= failure == null || !UnsentRequests.isUnsent(failure);
            Optional<Duration> delay = Optional.empty();
            if (!begun && failure != null) {
                delay = policy.afterFailure(failure, sent);
            } else if (!begun && answer instanceof HttpResponse<?> response) {
                delay = policy.afterAnswer(response, sent);
            }
            delay.ifPresent(span -> LOG.debug(
                    "{}: attempt {} of {} failed, the next one with the same key follows in {} ms",
                    call,
                    sent,
                    policy.retries() + 1,
                    span.toMillis(),
                    failure));
            return delay;
        }

        /** What the caller gets of a failure: an attempt that sent nothing does not hide an earlier one that may have been executed. */
        Exception shown(Exception failure) {
            return mayHaveRun && failure instanceof HttpClientException last && UnsentRequests.isUnsent(last)
                    ? new LostAttemptException(last)
                    : failure;
        }

        Flux<Object> watched(Publisher<?> answers) {
            return Flux.<Object>from(answers).map(answer -> {
                Optional<Duration> delay = delay(answer, null);
                if (delay.isPresent()) {
                    throw new NotTheLast(delay.get());
                }
                begun = true;
                return answer;
            });
        }
    }

    /** Ends an attempt whose answer is no failure for the client and yet not the last. */
    private static final class NotTheLast extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Duration delay;

        NotTheLast(Duration delay) {
            super(null, null, false, false);
            this.delay = delay;
        }
    }

    /** The last attempt was not sent, and the outcome of an earlier one is unknown. */
    static final class LostAttemptException extends HttpClientException {

        private static final long serialVersionUID = 1L;

        LostAttemptException(HttpClientException last) {
            super(last.getMessage() + " (an earlier attempt was sent, and its outcome is not known)", last);
        }
    }
}
