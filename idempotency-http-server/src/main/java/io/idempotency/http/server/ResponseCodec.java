package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Responses whose body is bytes already: status, the header fields that may be repeated, and the bytes as they are. */
@Singleton
@Requires(classes = HttpResponse.class)
public final class ResponseCodec implements ResultCodec {

    private static final byte[] NOTHING = {};

    private final ResultCodec codec;

    ResponseCodec(JsonMapper json, ReplayedHeaders headers) {
        this.codec = new HttpResponseCodec(json, headers, new Bytes());
    }

    @Override
    public byte[] encode(@Nullable Object response) throws IOException {
        return codec.encode(response);
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return codec.encodeJson(json);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        return codec.decode(bytes);
    }

    private record Bytes() implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object body) {
            return body == null ? NOTHING : (byte[]) body;
        }

        @Override
        public Object decode(byte[] bytes) {
            return bytes;
        }
    }
}
