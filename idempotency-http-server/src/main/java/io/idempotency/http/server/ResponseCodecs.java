package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.io.Writable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.types.files.FileCustomizableResponseType;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.File;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** For responses whose body is bytes already: status, the header fields that may be repeated, and the bytes as they are. */
@Singleton
@Requires(classes = HttpResponse.class)
public final class ResponseCodecs {

    private static final byte[] NOTHING = {};

    private final JsonMapper json;
    private final ResponseHeads heads;
    private final ReplayedHeaders headers;

    ResponseCodecs(JsonMapper json, ResponseHeads heads, ReplayedHeaders headers) {
        this.json = json;
        this.heads = heads;
        this.headers = headers;
    }

    /**
     * The codec of an operation's responses.
     *
     * @param operation its name, which decides about the headers
     * @return its codec
     */
    public ResultCodec of(String operation) {
        return new HttpResponseCodec(json, heads, headers.of(operation), new Bytes());
    }

    /**
     * Whether a body is sent as it comes and cannot be read again. A mapper might make something of it all the same, for instance of a
     * file's name.
     *
     * @param body of a response
     * @return true for streams and files
     */
    public static boolean isSentOnce(Object body) {
        return Publishers.isConvertibleToPublisher(body)
                || body instanceof FileCustomizableResponseType
                || body instanceof InputStream
                || body instanceof File
                || body instanceof Writable;
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
