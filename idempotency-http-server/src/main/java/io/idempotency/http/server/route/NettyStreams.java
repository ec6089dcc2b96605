package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpResponseWrapper;
import io.micronaut.http.netty.NettyHttpResponseBuilder;
import io.micronaut.http.netty.stream.StreamedHttpResponse;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the streamed bodies of responses of Micronaut's proxying client. */
@Singleton
@Requires(classes = NettyHttpResponseBuilder.class)
final class NettyStreams {

    /** Returns a streamed body's bytes, or the whole stream for one subscriber where it is longer; null without one. */
    @Nullable
    CompletionStage<Object> bodyOf(HttpResponse<?> response, int most) {
        Publisher<byte[]> stream = streamOf(response);
        if (stream == null) {
            return null;
        }
        AtomicLong length = new AtomicLong();
        return Flux.from(stream)
                .bufferUntil(piece -> length.addAndGet(piece.length) > most)
                .map(pieces -> ByteBufUtil.getBytes(Unpooled.wrappedBuffer(pieces.toArray(byte[][]::new))))
                .<Object>switchOnFirst((first, all) -> length.get() > most ? Mono.just(all) : all, false)
                .single(new byte[0])
                .toFuture();
    }

    /** Returns a streamed body for one subscriber; null without one. */
    static @Nullable Publisher<byte[]> streamOf(HttpResponse<?> response) {
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
}
