package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.codec.ResultCodecProvider;
import io.idempotency.runtime.codec.ResultCodecs;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.io.Writable;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.types.files.FileCustomizableResponseType;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.File;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records whole responses: status, the header fields that may be repeated, and the body. */
@Internal
@Singleton
@Requires(classes = HttpResponse.class)
public final class ResponseCodecs implements ResultCodecProvider {

    private final JsonMapper json;
    private final ReplayedHeaders headers;

    ResponseCodecs(JsonMapper json, ReplayedHeaders headers) {
        this.json = json;
        this.headers = headers;
    }

    @Override
    public Optional<ResultCodec> codecFor(String operation, Argument<?> type, ResultCodecs codecs) {
        if (!HttpResponse.class.isAssignableFrom(type.getType())) {
            return Optional.empty();
        }
        Argument<?> body = type.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT);
        return Optional.of(codec(
                operation, OpenBodyCodec.isOpen(body) ? new OpenBodyCodec(json) : codecs.codecFor(operation, body)));
    }

    private ResultCodec codec(String operation, ResultCodec body) {
        return new HttpResponseCodec(json, headers.of(operation), body);
    }

    /**
     * The codec of responses whose body is bytes already. Any other body was passed on as it came, and is not kept.
     *
     * @param operation its name, which decides about the headers
     * @return its codec
     */
    public ResultCodec of(String operation) {
        return codec(operation, new Bytes());
    }

    /**
     * Tells whether a body is sent as it comes and cannot be read again. A mapper might write
     * something all the same, for instance a file's name.
     *
     * @param body of a response
     * @return true for streams and files
     */
    public static boolean isSentOnce(Object body) {
        return Argument.of(body.getClass()).isReactive()
                || body instanceof FileCustomizableResponseType
                || body instanceof InputStream
                || body instanceof File
                || body instanceof Writable;
    }

    private record Bytes() implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object body) throws UnkeptResultException {
            if (body == null) {
                return new byte[0];
            }
            if (body instanceof byte[] bytes) {
                return bytes;
            }
            throw new UnkeptResultException(
                    "the response is a stream or longer than idempotency.max-result-size, and is passed on and not kept");
        }

        @Override
        public Object decode(byte[] bytes) {
            return bytes;
        }
    }
}
