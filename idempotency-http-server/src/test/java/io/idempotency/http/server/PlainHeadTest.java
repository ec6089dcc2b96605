package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written and read without the mapper is what the mapper writes and reads; records of both are in one store. */
class PlainHeadTest {

    private static final Argument<Map<String, List<String>>> HEADERS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));

    private final JsonMapper json = JsonMapper.createDefault();

    static List<Map<String, List<String>>> heads() {
        Map<String, List<String>> several = new LinkedHashMap<>();
        several.put("Content-Type", List.of("application/json"));
        several.put("Link", List.of("</a>; rel=next", "</b>; rel=prev"));
        several.put("X-Empty", List.of(""));
        return List.of(
                Map.of(),
                several,
                Map.of("ETag", List.of("\"7\"")),
                Map.of("X-Path", List.of("C:\\orders")),
                Map.of("X-Name", List.of("M\u00fcller \u2026 \ud83d\ude00")),
                Map.of("X-Tab", List.of("a\tb")),
                Map.of("X-Delete", List.of("a\u007fb")));
    }

    @ParameterizedTest
    @MethodSource("heads")
    void theBytesAreTheMappersAndSoIsWhatTheyAreReadAs(Map<String, List<String>> head) throws IOException {
        byte[] mapped = json.writeValueAsBytes(HEADERS, head);
        byte[] plain = PlainHead.written(head);
        assertThat(plain == null ? mapped : plain).isEqualTo(mapped);
        Map<String, List<String>> read = PlainHead.read(mapped);
        assertThat(read == null ? json.readValue(mapped, HEADERS) : read).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}x",
                "null",
                "[]",
                "{\"a\"}",
                "{\"a\":[\"b\"}",
                "{\"a\":[\"b\",]}",
                "{,\"a\":[\"b\"]}",
                "{\"a\":[\"b\"],}",
                "{\"a\":[\"b\"]\"c\":[]}",
                "{\"a\":[null]}",
                "{\"a\":\"b\"}",
                "{\"a\":[\"\\u0062\"]}",
                "{ \"a\":[\"b\"]}",
                "{\"a\":[\"b\"],\"a\":[\"c\"]}",
                "{\"a\":[\"b"
            })
    void whateverElseItIsIsLeftToTheMapper(String head) {
        assertThat(PlainHead.read(head.getBytes(StandardCharsets.UTF_8))).isNull();
    }
}
