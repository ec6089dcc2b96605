package io.idempotency.http.server.route;

import io.idempotency.IdempotencyException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.engine.AnsweredFailure;
import io.micronaut.http.exceptions.HttpStatusException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;

/**
 * The body of an answer that comes piece by piece. A route that returns a stream has done nothing yet: its work begins with the
 * subscription, and is over when the stream is.
 */
final class WatchedStream implements Publisher<Object> {

    private final Flux<Object> stream;
    private final AnswerRule rule;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /**
     * Watches a stream. Where no subscriber comes within a lease, it is not started any more: a filter may have put another body in
     * the place of this one.
     */
    WatchedStream(Publisher<?> stream, Route route) {
        this.stream = Flux.<Object>from(stream)
                .doOnComplete(() -> end.complete(null))
                .doOnError(this::brokeOff)
                .doOnCancel(() -> brokeOff(new CancellationException("nobody read the stream to its end")));
        this.rule = route.rule();
        long lease = route.operation().policy().lease().toMillis();
        begun.completeOnTimeout(false, lease, TimeUnit.MILLISECONDS).thenAccept(read -> {
            if (!read) {
                brokeOff(new CancellationException("nobody read the stream"));
            }
        });
    }

    /** The end of the stream, or what its failure says of the route's work. */
    CompletionStage<Void> end() {
        return end;
    }

    /** The status that the first caller gets where nothing was sent yet; nobody sees that answer, so it is not recorded. */
    private void brokeOff(Throwable failure) {
        if (failure instanceof IdempotencyException) {
            end.completeExceptionally(failure);
            return;
        }
        Effect effect = failure instanceof HttpStatusException thrown
                ? rule.effect(thrown.getStatus().getCode())
                : failure instanceof CancellationException ? Effect.UNKNOWN : Effect.FINAL;
        end.completeExceptionally(new AnsweredFailure(failure, effect, null));
    }

    /** For one subscriber. Who comes after the end was told must not start the work any more. */
    @Override
    public void subscribe(Subscriber<? super Object> subscriber) {
        Flux<Object> read = begun.complete(true)
                ? stream
                : Flux.error(new IllegalStateException(
                        "This answer is read already, or was waited for in vain. Its stream was not started."));
        read.subscribe(subscriber);
    }
}
