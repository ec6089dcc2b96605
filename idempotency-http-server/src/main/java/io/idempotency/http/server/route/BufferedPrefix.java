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

/** Buffers the beginning of a stream. Asks for one piece after the other; from too many bytes on only when the rest's subscriber asks. */
final class BufferedPrefix extends BaseSubscriber<byte[]> {

    private final CompletableFuture<Object> content = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;
    private Sinks.@Nullable Many<byte[]> rest;

    private BufferedPrefix(int most) {
        this.most = most;
    }

    /**
     * Waits for a stream's end, or until it turns out to be longer than is kept.
     *
     * @param most how many bytes are kept
     * @return the bytes of a stream that is short enough, otherwise the whole stream again, for one subscriber
     */
    static CompletionStage<Object> of(Publisher<byte[]> stream, int most) {
        BufferedPrefix prefix = new BufferedPrefix(most);
        stream.subscribe(prefix);
        return prefix.content;
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
        rest = Sinks.many().unicast().onBackpressureBuffer();
        Flux<byte[]> following = rest.asFlux().doOnRequest(this::request).doOnCancel(this::cancel);
        content.complete(Flux.concat(Flux.just(bytes.toByteArray()), following));
    }

    @Override
    protected void hookOnComplete() {
        if (rest == null) {
            content.complete(bytes.toByteArray());
        } else {
            rest.tryEmitComplete();
        }
    }

    @Override
    protected void hookOnError(Throwable failure) {
        if (rest == null) {
            content.completeExceptionally(failure);
        } else {
            rest.tryEmitError(failure);
        }
    }
}
