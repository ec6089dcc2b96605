package io.idempotency.http.server.route;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * The beginning of a stream, and what comes after it.
 *
 * @param bytes all of a stream that is short enough, otherwise as much as came before it was too long
 * @param rest what follows, for one subscriber; null when there is nothing
 */
record BufferedPrefix(byte[] bytes, @Nullable Publisher<byte[]> rest) {

    /** The whole stream again. */
    Publisher<byte[]> all() {
        return rest == null ? Flux.just(bytes) : Flux.concat(Flux.just(bytes), rest);
    }

    /**
     * Waits for a stream's end, or until it turns out to be longer than is kept.
     *
     * @param most how many bytes are kept
     */
    static CompletionStage<BufferedPrefix> of(Publisher<byte[]> stream, int most) {
        Collector collector = new Collector(most);
        stream.subscribe(collector);
        return collector.beginning;
    }

    /** Asks for one piece after the other; from too many bytes on only when the rest's subscriber asks. */
    private static final class Collector extends BaseSubscriber<byte[]> {
        private final CompletableFuture<BufferedPrefix> beginning = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;
        private Sinks.@Nullable Many<byte[]> rest;

        Collector(int most) {
            this.most = most;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            subscription.request(1);
        }

        @Override
        protected void hookOnNext(byte[] piece) {
            if (rest != null) {
                rest.tryEmitNext(piece).orThrow();
                return;
            }
            bytes.writeBytes(piece);
            if (bytes.size() <= most) {
                request(1);
                return;
            }
            Sinks.Many<byte[]> sink = Sinks.many().unicast().onBackpressureBuffer();
            rest = sink;
            Flux<byte[]> following = sink.asFlux().doOnRequest(this::request).doOnCancel(this::cancel);
            beginning.complete(new BufferedPrefix(bytes.toByteArray(), following));
        }

        @Override
        protected void hookOnComplete() {
            if (rest == null) {
                beginning.complete(new BufferedPrefix(bytes.toByteArray(), null));
            } else {
                rest.tryEmitComplete();
            }
        }

        @Override
        protected void hookOnError(Throwable failure) {
            if (rest == null) {
                beginning.completeExceptionally(failure);
            } else {
                rest.tryEmitError(failure);
            }
        }
    }
}
