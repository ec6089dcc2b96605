package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A whole response: its status, the headers that may be repeated, and its body as the body's own codec writes it. The
 * head stands in front as JSON with its length, so that the body's bytes stay what they are.
 */
record HttpResponseCodec(JsonMapper json, ReplayedHeaders headers, ResultCodec body) implements ResultCodec {

    private static final Argument<Map<String, List<String>>> HEADERS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));
    private static final byte[] NOTHING = {};

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        if (value == null) {
            return NOTHING;
        }
        HttpResponse<?> response = (HttpResponse<?>) value;
        byte[] head = json.writeValueAsBytes(HEADERS, headers.of(response.getHeaders()));
        byte[] content = body.encode(response.getBody().orElse(null));
        return ByteBuffer.allocate(2 * Integer.BYTES + head.length + content.length)
                .putInt(response.code())
                .putInt(head.length)
                .put(head)
                .put(content)
                .array();
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            int status = buffer.getInt();
            byte[] head = new byte[buffer.getInt()];
            buffer.get(head);
            byte[] content = new byte[buffer.remaining()];
            buffer.get(content);
            return response(status, Objects.requireNonNull(json.readValue(head, HEADERS)), content);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IOException("The stored response is cut off", e);
        }
    }

    /** A status that no registry knows is replayed as well. */
    private static MutableHttpResponse<Object> status(int code) {
        boolean known = Arrays.stream(HttpStatus.values()).anyMatch(status -> status.getCode() == code);
        return known ? HttpResponse.status(HttpStatus.valueOf(code)) : HttpResponse.status(code, "Replayed");
    }

    private HttpResponse<?> response(int status, Map<String, List<String>> head, byte[] content) throws IOException {
        MutableHttpResponse<Object> response = status(status);
        headers.onto(response.getHeaders(), head);
        if (content.length > 0) {
            response.body(body.decode(content));
        }
        return response;
    }
}
