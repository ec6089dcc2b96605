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
            Exception failure = null;
            call.begin();
            try {
                answer = attempt.call();
            } catch (Exception e) {
                failure = e;
            }
            Optional<Duration> delay = series.delay(answer, failure);
            if (delay.isEmpty() || !paused(delay.get())) {
                Exception hidden = failure == null ? series.hidden(answer) : failure;
                if (hidden != null) {
                    throw series.shown(hidden);
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
                        series.delay(first.get(), first.getThrowable());
                        Exception error = first.isOnError()
                                ? null
                                : series.next.isPresent() ? series.error(first.get()) : series.hidden(first.get());
                        return error == null ? answers : Flux.error(error);
                    })
                    .doOnCancel(() -> call.mayHaveRun |= series.open && call.keyed)
                    .retryWhen(Retry.from(ends -> ends.concatMap(end -> series.next
                            .<Publisher<?>>map(delay -> timer.after(delay).onErrorMap(refused -> end.failure()))
                            .orElseGet(() -> Mono.error(end.failure())))))
                    .onErrorMap(Exception.class, series::shown);
        });
    }

    /** The attempts for one blocking caller or one subscriber. */
    private final class Series {

        private int sent;

        /** Whether an attempt is under way; what is cancelled then may have run. */
        private volatile boolean open;

        /** Whether an attempt before the last one may have run, also for another subscriber. */
        private boolean earlierMayHaveRun;

        /** Whether the last attempt's own outcome says that it did nothing. */
        private boolean didNothing;

        private Optional<Duration> next = Optional.empty();

        /** Returns the delay after an outcome; empty when no attempt follows. */
        Optional<Duration> delay(@Nullable Object answer, @Nullable Throwable failure) {
            sent++;
            open = false;
            Throwable known = failure == null ? error(answer) : failure;
            earlierMayHaveRun = call.mayHaveRun;
            didNothing = known != null && policy.refusals().didNothing(known);
            next = call.keyed ? policy.delay(answer, failure, sent) : Optional.empty();
            // the success of a request without a key, a GET say, leaves nothing open
            call.mayHaveRun |= (known == null ? call.keyed : !didNothing || call.redirected) && !isFinal(known);
            next.ifPresent(delay -> LOG.debug(
                    "{}: attempt {} of {} failed, the next one with the same key follows in {} ms",
                    call.name,
                    sent,
                    policy.retries() + 1,
                    delay.toMillis(),
                    failure));
            return next;
        }

        /** Tells whether an outcome is a refusal that no other attempt would change. What is refused as done may have run. */
        private boolean isFinal(@Nullable Throwable known) {
            return known instanceof HttpClientResponseException refused
                    && refused.code() >= HttpStatus.BAD_REQUEST.getCode()
                    && refused.code() < HttpStatus.INTERNAL_SERVER_ERROR.getCode()
                    && next.isEmpty()
                    && sent <= policy.retries() // else it may be worth another attempt
                    && !call.redirected
                    && policy.refusals().executed(refused) == Executed.NO;
        }

        /** Returns the error that a client answers as a value; null for none. */
        private @Nullable HttpClientResponseException error(@Nullable Object answer) {
            HttpResponse<?> response = answer instanceof HttpResponse<?> given ? given : call.refused;
            return response == null || response.code() < HttpStatus.BAD_REQUEST.getCode()
                    ? null
                    : new HttpClientResponseException(response.reason(), response);
        }

        /** Returns the error that a value stands for, where it would hide an earlier attempt that may have run; else null. */
        @Nullable
        Exception hidden(@Nullable Object answer) {
            HttpClientResponseException error = earlierMayHaveRun || call.redirected ? error(answer) : null;
            return error != null && (didNothing || policy.refusals().executed(error) == Executed.UNKNOWN)
                    ? error
                    : null;
        }

        /** Returns the caller's exception. An attempt that did nothing must not hide an earlier one that may have run. */
        Exception shown(Exception failure) {
            if (call.redirected && didNothing) {
                return new MayHaveRunException(
                        "The request was answered by a redirect that could not be followed: " + failure.getMessage(),
                        failure);
            }
            Exception typed = policy.refusals().typed(failure, call.name);
            if (!earlierMayHaveRun || !didNothing && failure instanceof HttpClientException) {
                return typed;
            }
            String said = failure.getMessage() + " (an earlier attempt was sent, and its outcome is not known)";
            return typed instanceof IdempotencyException refusal
                    ? new OutcomeUnknownException(refusal.operation(), null, said, failure)
                    : new MayHaveRunException(said, failure);
        }
    }

    /** Has a type of its own: in an exact {@link HttpClientException} a cause that sent nothing would decide. */
    private static final class MayHaveRunException extends HttpClientException {

        private MayHaveRunException(String message, Exception last) {
            super(message, last);
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
