package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.codec.OnceOnly;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A body of no declared type, with a letter in front that says what it was. JSON comes back as its text, which the
 * server writes as it is: the same bytes as the first time, whatever object they were made of.
 */
record OpenBodyCodec(JsonMapper json) implements ResultCodec {

    private static final byte[] NOTHING = {};
    private static final byte TEXT = 'T';
    private static final byte BYTES = 'B';

    static boolean isJson(Object body) {
        return !(body instanceof CharSequence || body instanceof byte[]);
    }

    @Override
    public byte[] encode(@Nullable Object body) throws IOException {
        if (body == null) {
            return NOTHING;
        }
        if (body instanceof byte[] bytes) {
            return marked(BYTES, bytes);
        }
        if (body instanceof CharSequence text) {
            return marked(TEXT, text.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (OnceOnly.is(body) || ResponseCodecs.isSentOnce(body)) {
            throw new UnkeptResultException("a body of " + body.getClass().getName() + " can be read once only");
        }
        return marked(TEXT, json.writeValueAsBytes(body));
    }

    private static byte[] marked(byte mark, byte[] content) {
        byte[] marked = new byte[content.length + 1];
        marked[0] = mark;
        System.arraycopy(content, 0, marked, 1, content.length);
        return marked;
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
