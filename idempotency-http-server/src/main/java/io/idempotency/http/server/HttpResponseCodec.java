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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes a response: status, length of the head, replayable headers as JSON, then the body in its codec's form. */
record HttpResponseCodec(JsonMapper json, Set<String> replayed, ResultCodec body) implements ResultCodec {

    private static final byte[] NOTHING = {};

    private static final Argument<Map<String, List<String>>> FIELDS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        if (value == null) {
            return NOTHING;
        }
        HttpResponse<?> response = (HttpResponse<?>) value;
        Map<String, List<String>> fields = new LinkedHashMap<>();
        replayed.stream()
                .filter(response.getHeaders()::contains)
                .forEach(name -> fields.put(name, response.getHeaders().getAll(name)));
        byte[] head = json.writeValueAsBytes(FIELDS, fields);
        Object sent = body instanceof OpenBodyCodec ? OpenBodyCodec.bodyOf(response) : response.body();
        byte[] content = body.encode(sent);
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
        int status = buffer.remaining() < 2 * Integer.BYTES ? -1 : buffer.getInt();
        int length = status < 0 ? -1 : buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw new IOException("The stored response is cut off, or was changed: " + bytes.length + " bytes, status "
                    + status + ", " + length + " bytes of headers");
        }
        byte[] head = new byte[length];
        buffer.get(head);
        return response(status, head, Arrays.copyOfRange(bytes, buffer.position(), bytes.length));
    }

    /** Encodes JSON of a body, or of a whole response with {@code status}, {@code headers} and {@code body}. */
    @Override
    public byte[] encodeJson(byte[] written) throws IOException {
        JsonNode node = Objects.requireNonNull(json.readValue(written, Argument.of(JsonNode.class)));
        JsonNode said = node.isObject() ? node.get("status") : null;
        boolean open = this.body instanceof OpenBodyCodec || this.body instanceof ResponseCodecs.Bytes;
        int members = node.get("headers") == null ? 1 : 2; // a declared type may have a status of its own
        boolean whole = said != null && (node.get("body") != null || open && said.isNumber() && node.size() == members);
        JsonNode content = whole ? node.get("body") : node;
        int status = whole ? Objects.requireNonNull(said).getIntValue() : HttpStatus.OK.getCode();
        boolean empty = content == null || content.isNull();
        byte[] body = empty ? NOTHING : this.body.encodeJson(json.writeValueAsBytes(content));
        JsonNode head = whole ? node.get("headers") : null;
        byte[] fields = json.writeValueAsBytes(head == null || head.isNull() ? Map.of() : head);
        Map<String, ?> given = json.readValue(fields, FIELDS);
        if (given != null && !replayed.containsAll(given.keySet())) {
            throw new IOException("Of " + given.keySet() + " duplicates would get only the headers " + replayed);
        }
        return encode(response(status, fields, body));
    }

    private HttpResponse<?> response(int status, byte[] head, byte[] content) throws IOException {
        Map<String, List<String>> fields = json.readValue(head, FIELDS);
        if (fields == null || status < 200 || status > 999) {
            throw new IOException("A response has headers, and a status from 200 to 999, which is not " + status);
        }
        MutableHttpResponse<Object> response = HttpResponse.ok().status(status);
        fields.forEach((name, values) -> {
            if (replayed.contains(name)) { // the configuration may no longer list it
                values.forEach(value -> response.header(name, value));
            }
        });
        if (content.length > 0) {
            response.body(body.decode(content));
        }
        return response;
    }
}
