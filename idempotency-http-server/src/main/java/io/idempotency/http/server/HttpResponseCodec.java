package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records a whole response: its status, the headers that may be repeated, and its body as the body's
 * own codec writes it. The head stands in front as JSON with its length, so that the body's bytes stay
 * what they are.
 */
record HttpResponseCodec(JsonMapper json, ReplayedHeaders.Names headers, ResultCodec body) implements ResultCodec {

    private static final Map<Integer, HttpStatus> KNOWN = Arrays.stream(HttpStatus.values())
            .collect(Collectors.toUnmodifiableMap(HttpStatus::getCode, Function.identity()));
    private static final byte[] NOTHING = {};
    private static final int LOWEST_STATUS = 100;
    private static final int HIGHEST_STATUS = 999;

    /** Fields by name, each with its values. */
    private static final Argument<Map<String, List<String>>> FIELDS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        if (value == null) {
            return NOTHING;
        }
        HttpResponse<?> response = (HttpResponse<?>) value;
        byte[] head = json.writeValueAsBytes(FIELDS, headers.of(response.getHeaders()));
        boolean open = body instanceof OpenBodyCodec;
        byte[] content = body.encode(
                open ? OpenBodyCodec.bodyOf(response) : response.getBody().orElse(null));
        return ByteBuffer.allocate(2 * Integer.BYTES + head.length + content.length)
                .putInt(response.code())
                .putInt(head.length)
                .put(head)
                .put(content)
                .array();
    }

    private Map<String, List<String>> read(byte[] head) throws IOException {
        Map<String, List<String>> fields = json.readValue(head, FIELDS);
        if (fields == null) {
            throw new IOException("The stored response has no headers");
        }
        return fields;
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int status = buffer.remaining() < 2 * Integer.BYTES ? -1 : buffer.getInt();
        int length = status < 0 ? -1 : buffer.getInt();
        if (status < LOWEST_STATUS || status > HIGHEST_STATUS || length < 0 || length > buffer.remaining()) {
            throw new IOException("The stored response is cut off, or was changed: " + bytes.length + " bytes, status "
                    + status + ", " + length + " bytes of headers");
        }
        // what the record says is believed only now: it may have been changed by hand
        byte[] head = new byte[length];
        buffer.get(head);
        return response(status, read(head), Arrays.copyOfRange(bytes, buffer.position(), bytes.length));
    }

    /** Takes the JSON for the body, or for a whole response with {@code status}, {@code headers} and {@code body}. */
    @Override
    public byte[] encodeJson(byte[] written) throws IOException {
        JsonNode node = Objects.requireNonNull(json.readValue(written, Argument.of(JsonNode.class)));
        boolean whole = node.isObject() && node.get("status") != null && node.get("body") != null;
        JsonNode content = whole ? Objects.requireNonNull(node.get("body")) : node;
        int status = whole ? Objects.requireNonNull(node.get("status")).getIntValue() : HttpStatus.OK.getCode();
        byte[] body = content.isNull() ? NOTHING : this.body.encodeJson(json.writeValueAsBytes(content));
        JsonNode head = whole ? node.get("headers") : null;
        Map<String, List<String>> given = head == null || head.isNull() ? Map.of() : read(json.writeValueAsBytes(head));
        return encode(response(status, given, body));
    }

    private HttpResponse<?> response(int status, Map<String, List<String>> head, byte[] content) throws IOException {
        HttpStatus known = KNOWN.get(status);
        // a status that no registry knows is replayed as well
        MutableHttpResponse<Object> response =
                known == null ? HttpResponse.status(status, "Replayed") : HttpResponse.status(known);
        headers.onto(response.getHeaders(), head);
        if (content.length > 0) {
            response.body(body.decode(content));
        }
        return response;
    }
}
