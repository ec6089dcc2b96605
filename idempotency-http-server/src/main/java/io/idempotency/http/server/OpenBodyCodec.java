package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.codec.SingleUseTypes;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records a body without a declared type ({@code HttpResponse<?>}) as it is sent, after a letter for text or bytes.
 * JSON is replayed as text, also of maps and lists of undeclared content: parsing would lose the zeros of 12.50.
 */
record OpenBodyCodec(JsonMapper json) implements ResultCodec {

    private static final byte TEXT = 'T';
    private static final byte BYTES = 'B';

    /** Tells whether a body's type does not say what its JSON is read as. */
    static boolean isOpen(Argument<?> body) {
        Class<?> type = body.getType();
        Argument<?>[] of = body.getTypeParameters();
        return type == Object.class
                || (Map.class.isAssignableFrom(type) || Iterable.class.isAssignableFrom(type))
                        && (of.length == 0 || Arrays.stream(of).anyMatch(OpenBodyCodec::isOpen));
    }

    /** Returns the body of a response. Rejects an object that is sent as anything but JSON. */
    static @Nullable Object bodyOf(HttpResponse<?> response) throws UnkeptResultException {
        Object body = response.getBody().orElse(null);
        Optional<MediaType> other = response.getContentType()
                .filter(type -> !type.matchesAllOrWildcardOrExtension(MediaType.EXTENSION_JSON));
        if (body == null || body instanceof CharSequence || body instanceof byte[] || other.isEmpty()) {
            return body;
        }
        throw new UnkeptResultException("a body of no declared type that is sent as " + other.get()
                + " is not known here. Declare its type: HttpResponse<…>");
    }

    @Override
    public byte[] encode(@Nullable Object body) throws IOException {
        if (body == null) {
            return new byte[0];
        }
        if (body instanceof byte[] bytes) {
            return marked(BYTES, bytes);
        }
        if (body instanceof CharSequence text) {
            return encodeJson(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (SingleUseTypes.isType(body.getClass()) || ResponseCodecs.isSentOnce(body)) {
            throw new UnkeptResultException("a body of " + body.getClass().getName() + " can be read once only");
        }
        return encodeJson(json.writeValueAsBytes(body));
    }

    private static byte[] marked(byte mark, byte[] content) {
        return ByteBuffer.allocate(content.length + 1).put(mark).put(content).array();
    }

    @Override
    public byte[] encodeJson(byte[] written) {
        return marked(TEXT, written);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return null;
        }
        byte[] content = Arrays.copyOfRange(bytes, 1, bytes.length);
        return switch (bytes[0]) {
            case TEXT -> new String(content, StandardCharsets.UTF_8);
            case BYTES -> content;
            default -> throw new IOException("The stored body is of an unknown kind");
        };
    }
}
