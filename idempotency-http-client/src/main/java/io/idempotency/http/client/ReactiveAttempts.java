package io.idempotency.http.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The reactive side of {@link Attempts}: subscribes once per attempt. */
record ReactiveAttempts(Attempts attempts) {

    /** A Mono where that is what the method returns: only micronaut-reactor can make one of a Flux. */
    Publisher<Object> all(Supplier<Publisher<?>> attempt, boolean single, Function<Throwable, Throwable> typed) {
        Flux<Object> answers = flux(attempt, 1, false).onErrorMap(typed);
        return single ? answers.next() : answers;
    }

    private Flux<Object> flux(Supplier<Publisher<?>> attempt, int sent, boolean ranBefore) {
        return Flux.defer(() -> {
            // what a subscriber has seen of a stream must not come again
            AtomicBoolean begun = new AtomicBoolean();
            return Flux.<Object>from(attempt.get())
                    .concatMap(answer -> {
                        Optional<Duration> delay = begun.get()
                                ? Optional.empty()
                                : attempts.delayAfter(AttemptOutcome.answered(answer), sent);
                        begun.set(true);
                        return delay.isEmpty() ? Mono.just(answer) : Mono.error(new Refused(answer, delay.get()));
                    })
                    .onErrorResume(failure -> again(failure, begun.get(), attempt, sent, ranBefore));
        });
    }

    private Publisher<Object> again(
            Throwable failure, boolean begun, Supplier<Publisher<?>> attempt, int sent, boolean ranBefore) {
        AttemptOutcome outcome = AttemptOutcome.failed(failure).hidingNothing(ranBefore);
        Optional<Duration> delay = failure instanceof Refused refused
                ? Optional.of(refused.delay)
                : begun ? Optional.empty() : attempts.delayAfter(outcome, sent);
        return delay.<Publisher<Object>>map(
                        span -> waited(span).thenMany(flux(attempt, sent + 1, ranBefore || outcome.mayHaveRun())))
                .orElseGet(() ->
                        Mono.error(failure instanceof Refused ? failure : Objects.requireNonNull(outcome.failure())));
    }

    private Mono<Void> waited(Duration delay) {
        return Mono.create(sink -> sink.onDispose(attempts.timer().after(delay, sink::success)::run));
    }

    /** An answer that is no failure for the client and yet not the last. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Duration delay;

        Refused(Object answer, Duration delay) {
            super(answer.toString(), null, false, false);
            this.delay = delay;
        }
    }
}
