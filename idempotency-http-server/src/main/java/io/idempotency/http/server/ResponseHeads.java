package io.idempotency.http.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The heads of recorded responses, as JSON. Most have a content type and nothing else: such a head is written once and read once, because
 * JSON of it takes longer than all digests of a call.
 */
@Singleton
@Requires(classes = HttpResponse.class)
final class ResponseHeads {

    /** Fields by name, each with its values. */
    static final Argument<Map<String, List<String>>> FIELDS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));

    /** An application has a few content types. Where each response has its own, the rest is written and read every time. */
    private static final int MOST = 64;

    private final JsonMapper json;
    private final ConcurrentMap<Map<String, List<String>>, byte[]> written = new ConcurrentHashMap<>();
    private final ConcurrentMap<ByteBuffer, Map<String, List<String>>> read = new ConcurrentHashMap<>();

    ResponseHeads(JsonMapper json) {
        this.json = json;
    }

    /** As JSON, for reading only. */
    byte[] write(Map<String, List<String>> fields) throws IOException {
        byte[] known = written.get(fields);
        if (known != null) {
            return known;
        }
        byte[] head = json.writeValueAsBytes(FIELDS, fields);
        if (isUsual(fields) && written.size() < MOST) {
            written.put(copy(fields), head);
        }
        return head;
    }

    /** What is left of these bytes, for reading only. */
    Map<String, List<String>> read(ByteBuffer head) throws IOException {
        Map<String, List<String>> known = read.get(head);
        if (known != null) {
            return known;
        }
        byte[] own = new byte[head.remaining()];
        head.duplicate().get(own);
        Map<String, List<String>> fields = json.readValue(own, FIELDS);
        if (fields == null) {
            throw new IOException("The stored response has no headers");
        }
        if (isUsual(fields) && read.size() < MOST) {
            read.put(ByteBuffer.wrap(own), copy(fields));
        }
        return fields;
    }

    private static boolean isUsual(Map<String, List<String>> fields) {
        return fields.size() == 1 && fields.containsKey(HttpHeaders.CONTENT_TYPE);
    }

    private static Map<String, List<String>> copy(Map<String, List<String>> usual) {
        return Map.of(HttpHeaders.CONTENT_TYPE, List.copyOf(usual.getOrDefault(HttpHeaders.CONTENT_TYPE, List.of())));
    }
}
