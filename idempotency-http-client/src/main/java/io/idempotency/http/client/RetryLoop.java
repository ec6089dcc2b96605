package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.OutcomeUnknownException;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Makes the attempts of one logical call until an outcome is final, and turns a refusal into its exception. */
record RetryLoop(LogicalCall call, RetryPolicy policy, Timer timer) {

    private static final Logger LOG = LoggerFactory.getLogger(RetryLoop.class);

    /** Makes the attempts on the caller's thread. An interrupt ends the wait between two attempts, and the call. */
    @SuppressWarnings("CatchingUnchecked") // a client method may throw anything
    @Nullable
    Object blocking(Callable<? extends @Nullable Object> attempt) throws Exception {
        Series series = new Series();
        while (true) {
            Object answer = null;
            Exception thrown = null;
            call.begin();
            try {
                answer = attempt.call();
            } catch (Exception e) {
                thrown = e;
            }
            Exception failure = series.end(answer, thrown);
            if (series.next.isEmpty() || !paused(series.next.get())) {
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

    /**
     * Makes the attempts anew for each subscriber, and holds no thread between them. The first signal of an attempt
     * decides: a subscriber that has seen the beginning of a stream must not see it again.
     */
    Flux<Object> reactive(Supplier<? extends Publisher<?>> attempt) {
        return Flux.defer(() -> {
            Series series = new Series();
            return Flux.<Object>defer(() -> {
                        call.begin();
                        series.open = true;
                        return Flux.from(attempt.get());
                    })
                    .switchOnFirst((first, answers) -> {
                        Exception failure = series.end(first.get(), first.getThrowable());
                        Exception another = series.next.isPresent() ? new CancellationException() : failure;
                        return another == null ? answers : Flux.error(another);
                    })
                    .doOnCancel(() -> call.mayHaveRun |= series.open && call.keyed)
                    .retryWhen(Retry.from(ends -> ends.concatMap(end ->
                            series.next.<Publisher<?>>map(timer::after).orElseGet(() -> Mono.error(end.failure())))));
        });
    }

    /** The attempts for one blocking caller or one subscriber. */
    private final class Series {

        private int sent;

        /** Whether an attempt is under way; what is cancelled then may have run. */
        private volatile boolean open;

        /** The delay before the next attempt; empty when none follows. */
        private Optional<Duration> next = Optional.empty();

        /** Ends an attempt. Returns the exception that its caller gets, unless another one follows; null for the answer. */
        @Nullable
        Exception end(@Nullable Object answer, @Nullable Throwable thrown) {
            sent++;
            open = false;
            Throwable failure = thrown == null ? error(answer) : thrown;
            boolean didNothing = failure != null && policy.refusals().didNothing(failure);
            Exception shown = failure instanceof Exception known ? shown(known, didNothing, thrown == null) : null;
            next = call.keyed ? policy.delay(failure, sent) : Optional.empty();
            // the success of a request without a key, a GET say, leaves nothing open
            call.mayHaveRun |= failure == null ? call.keyed : call.redirected || !didNothing && !isFinal(failure);
            next.ifPresent(delay -> LOG.debug(
                    "{}: attempt {} of {} failed, the next one with the same key follows in {} ms",
                    call.name,
                    sent,
                    policy.retries() + 1,
                    delay.toMillis(),
                    thrown));
            return shown;
        }

        /** Returns the error that a client answers as a value; null for none. */
        private @Nullable Throwable error(@Nullable Object answer) {
            HttpResponse<?> response = answer instanceof HttpResponse<?> given ? given : call.refused;
            return response == null || response.code() < HttpStatus.BAD_REQUEST.getCode()
                    ? null
                    : new HttpClientResponseException(response.reason(), response);
        }

        /** Tells whether a failure is a refusal that no other attempt would change. What is refused as done may have run. */
        private boolean isFinal(Throwable failure) {
            return failure instanceof HttpClientResponseException refused
                    && refused.code() >= HttpStatus.BAD_REQUEST.getCode()
                    && refused.code() < HttpStatus.INTERNAL_SERVER_ERROR.getCode()
                    && !policy.mayPass(refused)
                    && policy.refusals().executed(refused) == Executed.NO;
        }

        /**
         * Returns the caller's exception; null for a value that hides nothing. An attempt that did nothing must not hide
         * one before it that may have run, for another subscriber perhaps.
         */
        private @Nullable Exception shown(Exception failure, boolean didNothing, boolean value) {
            boolean open = didNothing || policy.refusals().executed(failure) == Executed.UNKNOWN;
            if (value && !(open && (call.mayHaveRun || call.redirected))) {
                return null;
            }
            if (call.redirected && didNothing) {
                return new HttpClientException(
                        "The request was answered by a redirect that could not be followed: " + failure.getMessage(),
                        failure);
            }
            Exception typed = policy.refusals().typed(failure, call.name);
            if (!call.mayHaveRun || !didNothing && failure instanceof HttpClientException) {
                return typed;
            }
            String said = failure.getMessage() + " (an earlier attempt was sent, and its outcome is not known)";
            return typed instanceof IdempotencyException refusal
                    ? new OutcomeUnknownException(refusal.operation(), null, said, failure)
                    : new HttpClientException(said, failure);
        }
    }

    /** Waits between two attempts. */
    @Singleton
    static class Timer {

        private final ExecutorService blocking;

        Timer(@Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
            this.blocking = blocking;
        }

        void pause(Duration delay) throws InterruptedException {
            Thread.sleep(delay.toMillis());
        }

        /** Emits once after the delay, on a thread that may block. */
        Mono<?> after(Duration delay) {
            return Mono.delay(delay).publishOn(Schedulers.fromExecutor(blocking));
        }
    }
}
