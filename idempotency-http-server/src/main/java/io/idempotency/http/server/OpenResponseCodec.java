package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body is of no declared type ({@code HttpResponse<?>}): replayed as it went over the wire, which is
 * known of texts, bytes and JSON only. Of a map or a list without a declared content JSON reads back less than was in
 * it, the zeros of 12.50 for instance, so that it is one of them.
 */
record OpenResponseCodec(ResultCodec response) implements ResultCodec {

    /** Whether a body's type leaves open what JSON of it is read as. */
    static boolean isOpen(Argument<?> body) {
        if (body.getType() == Object.class) {
            return true;
        }
        boolean container =
                Map.class.isAssignableFrom(body.getType()) || Iterable.class.isAssignableFrom(body.getType());
        return container
                && (body.getTypeParameters().length == 0
                        || Arrays.stream(body.getTypeParameters()).anyMatch(OpenResponseCodec::isOpen));
    }

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        if (value instanceof HttpResponse<?> open
                && open.getBody().filter(OpenBodyCodec::isJson).isPresent()) {
            Optional<MediaType> type = open.getContentType().filter(it -> !isJson(it));
            if (type.isPresent()) {
                throw new UnkeptResultException("a body of no declared type that is sent as " + type.get()
                        + " is not known here." + " Declare its type: HttpResponse<…>");
            }
        }
        return response.encode(value);
    }

    private static boolean isJson(MediaType type) {
        return type.matchesAllOrWildcardOrExtension(MediaType.EXTENSION_JSON);
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return response.encodeJson(json);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        return response.decode(bytes);
    }
}
