package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpResponseCodecTest {

    private static final Argument<Map<String, List<String>>> FIELDS =
            Argument.mapOf(Argument.STRING, Argument.listOf(Argument.STRING));

    private static ApplicationContext context;

    @BeforeAll
    static void start() {
        context = ApplicationContext.run();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static io.idempotency.runtime.ResultCodec codec() {
        return context.getBean(ResponseCodecs.class).of("any");
    }

    private static String head(byte[] encoded) {
        ByteBuffer buffer = ByteBuffer.wrap(encoded);
        assertThat(buffer.getInt()).isEqualTo(200);
        byte[] head = new byte[buffer.getInt()];
        buffer.get(head);
        return new String(head, StandardCharsets.UTF_8);
    }

    private static byte[] stored(String head) {
        byte[] bytes = head.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + bytes.length)
                .putInt(200)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/vnd.shop.v1+json; charset=utf-8",
                "text/plain; charset=\"utf-8\"",
                "text/a\\b",
                "text/\u00e9",
                ""
            })
    void aHeadIsTheJsonOfItsFieldsAndIsReadAsItWasWritten(String type) throws IOException {
        byte[] encoded = codec().encode(HttpResponse.ok().header("Content-Type", type));
        String json = new String(
                context.getBean(JsonMapper.class).writeValueAsBytes(FIELDS, Map.of("Content-Type", List.of(type))),
                StandardCharsets.UTF_8);
        assertThat(head(encoded)).isEqualTo(json);
        assertThat(((HttpResponse<?>) codec().decode(encoded)).header("Content-Type"))
                .isEqualTo(type);
    }

    @Test
    void otherFieldsBesideTheTypeCount() throws IOException {
        byte[] encoded = codec().encode(
                        HttpResponse.ok().header("Content-Type", "text/plain").header("Location", "/orders/1"));
        assertThat(head(encoded)).isEqualTo("{\"Content-Type\":[\"text/plain\"],\"Location\":[\"/orders/1\"]}");
        assertThat(((HttpResponse<?>) codec().decode(encoded)).header("Location"))
                .isEqualTo("/orders/1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"status\":204}|204|~~|",
                "{\"status\":201,\"headers\":{\"location\":[\"/p/1\"]}}|201|~~|/p/1",
                "{\"status\":201,\"headers\":null,\"body\":null}|201|~~|",
                "{\"status\":202,\"body\":{\"a\":1}}|202|{\"a\":1}|",
                "{\"status\":\"paid\"}|200|{\"status\":\"paid\"}|",
                "{\"status\":204,\"count\":1}|200|{\"status\":204,\"count\":1}|"
            })
    void whatAnOperatorWritesIsAResponseOrABody(String json, int status, String body, String location)
            throws IOException {
        HttpResponse<?> decoded =
                (HttpResponse<?>) codec().decode(codec().encodeJson(json.getBytes(StandardCharsets.UTF_8)));
        assertThat(decoded.code()).isEqualTo(status);
        assertThat(decoded.header("Location")).isEqualTo(location);
        assertThat(decoded.getBody(byte[].class)
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .orElse(""))
                .isEqualTo(body);
    }

    @Test
    void aHeaderThatDuplicatesWouldNotGetIsRefused() {
        byte[] json = "{\"status\":201,\"headers\":{\"Locaton\":[\"/p/1\"]}}".getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> codec().encodeJson(json))
                .withMessageContaining("Locaton");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{\"Content-Type\":", "{\"Content-Type\":[\"a\"b\"]}", ""})
    void whatIsNoHeadIsRefused(String head) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> codec().decode(stored(head)));
    }
}
