package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpResponseWrapper;
import io.micronaut.http.netty.NettyHttpResponseBuilder;
import io.micronaut.http.netty.stream.StreamedHttpResponse;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpContent;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Reads the responses of Micronaut's proxying client, whose body is not there yet. */
@Singleton
@Requires(classes = NettyHttpResponseBuilder.class)
final class NettyStreams {

    /**
     * Waits for the end of a streamed body, or until it turns out to be longer than is kept.
     *
     * @param response a response without a body of its own
     * @param most how many bytes are kept
     * @return the bytes of a body that is short enough, otherwise the whole stream again, for one
     *     subscriber; null when the response has no body at all
     */
    @Nullable
    CompletionStage<Object> bodyOf(HttpResponse<?> response, int most) {
        Publisher<byte[]> stream = streamOf(response);
        if (stream == null) {
            return null;
        }
        Prefix prefix = new Prefix(most);
        stream.subscribe(prefix);
        return prefix.content;
    }

    private static @Nullable Publisher<byte[]> streamOf(HttpResponse<?> response) {
        HttpResponse<?> inner = response;
        while (inner instanceof HttpResponseWrapper<?> wrapper) {
            if (inner instanceof ByteBodyHttpResponse<?> bytes) {
                return bytes.byteBody().toByteArrayPublisher();
            }
            inner = wrapper.getDelegate();
        }
        return inner instanceof NettyHttpResponseBuilder builder
                        && builder.isStream()
                        && builder.toHttpResponse() instanceof StreamedHttpResponse streamed
                ? Flux.from(streamed).map(NettyStreams::bytes)
                : null;
    }

    private static byte[] bytes(HttpContent content) {
        try {
            return ByteBufUtil.getBytes(content.content());
        } finally {
            content.release();
        }
    }

    /** Asks for one piece after the other; from too many bytes on only when the subscriber of the rest asks. */
    private static final class Prefix extends BaseSubscriber<byte[]> {

        private final CompletableFuture<Object> content = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Sinks.Many<byte[]> rest = Sinks.many().unicast().onBackpressureBuffer();
        private final int most;

        private Prefix(int most) {
            this.most = most;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            subscription.request(1);
        }

        @Override
        protected void hookOnNext(byte[] piece) {
            if (content.isDone()) {
                rest.tryEmitNext(piece).orThrow();
                return;
            }
            bytes.writeBytes(piece);
            if (bytes.size() <= most) {
                request(1);
                return;
            }
            Flux<byte[]> following = rest.asFlux().doOnRequest(this::request).doOnCancel(this::cancel);
            content.complete(Flux.concat(Flux.just(bytes.toByteArray()), following));
        }

        /** Without effect on what is complete, as is what the sink is told where nothing reads it. */
        @Override
        protected void hookOnComplete() {
            content.complete(bytes.toByteArray());
            rest.tryEmitComplete();
        }

        @Override
        protected void hookOnError(Throwable failure) {
            content.completeExceptionally(failure);
            rest.tryEmitError(failure);
        }
    }
}
