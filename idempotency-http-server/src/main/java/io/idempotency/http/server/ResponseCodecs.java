package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.codec.ResultCodecs;
import io.idempotency.runtime.codec.ResultCodecs.ResultCodecProvider;
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

/** Provides codecs of whole responses: status, replayable header fields and body. */
@Internal
@Singleton
public record ResponseCodecs(JsonMapper json, ReplayedHeaders headers) implements ResultCodecProvider {

    @Override
    public Optional<ResultCodec> codecFor(String operation, Argument<?> type, ResultCodecs codecs) {
        if (!HttpResponse.class.isAssignableFrom(type.getType())) {
            return Optional.empty();
        }
        Argument<?> body = type.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT);
        ResultCodec own = OpenBodyCodec.isOpen(body) ? new OpenBodyCodec(json) : codecs.codecFor(operation, body);
        return Optional.of(new HttpResponseCodec(json, headers.of(operation), own));
    }

    /** Returns the codec of an operation's responses whose body is bytes. Any other body is not kept. */
    public ResultCodec of(String operation) {
        return new HttpResponseCodec(json, headers.of(operation), new Bytes());
    }

    /** Tells whether the body of a response is a stream or a file, which can be sent only once. */
    public static boolean isSentOnce(Object body) {
        return Argument.of(body.getClass()).isReactive()
                || body instanceof FileCustomizableResponseType
                || body instanceof InputStream
                || body instanceof File
                || body instanceof Writable;
    }

    record Bytes() implements ResultCodec {
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
