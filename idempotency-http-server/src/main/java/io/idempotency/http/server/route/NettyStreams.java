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
import java.util.Optional;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The responses of Micronaut's proxying client. */
@Singleton
@Requires(classes = NettyHttpResponseBuilder.class)
final class NettyStreams implements StreamedResponses {

    @Override
    public Optional<Publisher<byte[]>> contentOf(HttpResponse<?> response) {
        HttpResponse<?> inner = response;
        while (inner instanceof HttpResponseWrapper<?> wrapper) {
            if (inner instanceof ByteBodyHttpResponse<?> bytes) {
                return Optional.of(bytes.byteBody().toByteArrayPublisher());
            }
            inner = wrapper.getDelegate();
        }
        return inner instanceof NettyHttpResponseBuilder builder
                        && builder.isStream()
                        && builder.toHttpResponse() instanceof StreamedHttpResponse streamed
                ? Optional.of(Flux.from(streamed).map(NettyStreams::bytes))
                : Optional.empty();
    }

    private static byte[] bytes(HttpContent content) {
        try {
            return ByteBufUtil.getBytes(content.content());
        } finally {
            content.release();
        }
    }
}
