package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResponseHeadsTest {

    private final ResponseHeads heads = new ResponseHeads(JsonMapper.createDefault());

    private static Map<String, List<String>> type(String type) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.put("Content-Type", new ArrayList<>(List.of(type)));
        return fields;
    }

    private Map<String, List<String>> read(String json) throws IOException {
        return heads.read(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void eachHeadIsReadAsItWasWrittenHoweverManyThereAre() throws IOException {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 200; i++) {
                Map<String, List<String>> fields = type("application/vnd.shop.v" + i);
                byte[] head = heads.write(fields);
                assertThat(head)
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("{\"Content-Type\":[\"application/vnd.shop.v" + i + "\"]}");
                assertThat(heads.read(ByteBuffer.wrap(head))).isEqualTo(fields);
            }
        }
    }

    @Test
    void otherFieldsBesideTheTypeCount() throws IOException {
        Map<String, List<String>> one = type("text/plain");
        Map<String, List<String>> other = type("text/plain");
        other.put("Location", List.of("/orders/1"));
        assertThat(read(new String(heads.write(one), StandardCharsets.UTF_8))).isEqualTo(one);
        assertThat(read(new String(heads.write(other), StandardCharsets.UTF_8))).isEqualTo(other);
    }

    @Test
    void whatBecomesOfAResponseAfterwardsIsNotRemembered() throws IOException {
        Map<String, List<String>> fields = type("text/plain");
        heads.write(fields);
        fields.put("Content-Type", List.of("text/html"));
        assertThat(heads.write(type("text/plain"))).asString().contains("text/plain");
        assertThat(heads.write(fields)).asString().contains("text/html");
    }

    @Test
    void whatIsNoHeadIsRefusedEveryTime() {
        for (int round = 0; round < 2; round++) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> read("null"));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> read("{\"Content-Type\":"));
        }
    }
}
