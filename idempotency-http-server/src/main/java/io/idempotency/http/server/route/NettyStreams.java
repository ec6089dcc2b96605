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
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** Knows the responses of Micronaut's proxying client, whose body is not there yet. */
@Singleton
@Requires(classes = NettyHttpResponseBuilder.class)
final class NettyStreams {

    /**
     * The bytes as they come.
     *
     * @param response a response without a body of its own
     * @return null when it has none at all
     */
    @Nullable
    Publisher<byte[]> contentOf(HttpResponse<?> response) {
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
