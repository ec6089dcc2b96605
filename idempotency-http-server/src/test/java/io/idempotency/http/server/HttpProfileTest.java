package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire. */
@MicronautTest
@Property(name = "test.shop", value = "true")
class HttpProfileTest {

    private static final String ITEM = "{\"name\":\"book\",\"price\":12.50}";

    @Inject
    @Client("/shop")
    HttpClient httpClient;

    @Inject
    ShopController shop;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        shop.bodies.set(0);
    }

    private HttpResponse<byte[]> send(MutableHttpRequest<String> request) {
        return new Wire(httpClient).send(request);
    }

    private HttpResponse<byte[]> send(String path) {
        return send(post(path, ITEM).header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @CsvSource({
        "/pojo, 201, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/response, 201, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/odd-status, 299, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/reactive, 200, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/nothing, 204, ''",
        "/text, 200, sold 1",
    })
    void aReplayHasTheFirstStatusAndTheFirstBytesAndAMark(String path, int status, String body) {
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> response = send(path);
            assertThat(response.code()).isEqualTo(status);
            assertThat(text(response)).isEqualTo(body);
            assertThat(response.header("Idempotent-Replayed")).isEqualTo(i == 0 ? null : "true");
        }
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void anEmptyOptionalIsNotFoundEachTimeAndItsBodyRunsOnce() {
        assertThat(send("/maybe").code()).isEqualTo(404);
        HttpResponse<byte[]> replay = send("/maybe");
        assertThat(replay.code()).isEqualTo(404);
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void aReplayRepeatsTheLocationAndNeverCookiesOrTraces() {
        assertThat(send("/response").header("Set-Cookie")).contains("session");
        HttpResponse<byte[]> replay = send("/response");
        assertThat(replay.header("Location")).isEqualTo("/shop/1");
        assertThat(replay.getHeaders().contains("Set-Cookie")).isFalse();
        assertThat(replay.getHeaders().contains("X-Trace")).isFalse();
    }

    @Test
    void withoutAKeyTheRequestIsRefusedAndTheBodyDoesNotRun() {
        HttpResponse<byte[]> response = send(post("/pojo", ITEM));
        assertThat(response.code()).isEqualTo(400);
        assertThat(response.getContentType()).contains(MediaType.APPLICATION_JSON_PROBLEM_TYPE);
        assertThat(response.header("Link")).contains("rel=\"describedby\"");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(text(response))
                .contains("\"code\":\"key-missing\"", "\"executed\":\"no\"", "\"status\":400", "sell-pojo");
        assertThat(shop.bodies).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "\"open", "two words", "\"\""})
    void aMalformedKeyIsRefusedAndTheBodyDoesNotRun(String malformed) {
        HttpResponse<byte[]> response = send(post("/pojo", ITEM).header("Idempotency-Key", malformed));
        assertThat(response.code()).isEqualTo(400);
        assertThat(text(response)).contains("\"code\":\"key-invalid\"", "\"executed\":\"no\"");
        assertThat(shop.bodies).hasValue(0);
    }

    @Test
    void aKeyThatIsTooLongOrSentTwiceIsRefused() {
        assertThat(send(post("/pojo", ITEM).header("Idempotency-Key", "k".repeat(256)))
                        .code())
                .isEqualTo(400);
        assertThat(send(post("/pojo", ITEM).header("Idempotency-Key", key).header("Idempotency-Key", key))
                        .code())
                .isEqualTo(400);
        assertThat(shop.bodies).hasValue(0);
    }

    @Test
    void quotedAndBareFormsAreOneKey() {
        send("/pojo");
        HttpResponse<byte[]> quoted = send(post("/pojo", ITEM).header("Idempotency-Key", '"' + key + '"'));
        assertThat(quoted.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void theSameKeyWithAnotherPayloadIsUnprocessable() {
        send("/pojo");
        HttpResponse<byte[]> response =
                send(post("/pojo", ITEM.replace("12.50", "99")).header("Idempotency-Key", key));
        assertThat(response.code()).isEqualTo(422);
        assertThat(text(response)).contains("\"code\":\"key-reused\"", "\"retry\":\"new-key\"");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void theSameKeyOnAnotherRouteIsAnotherKey() {
        send("/pojo");
        assertThat(send("/text").header("Idempotent-Replayed")).isNull();
        assertThat(shop.bodies).hasValue(2);
    }

    @Test
    void theSameKeyForAnotherOperationThatSharesItsKeysIsAConflictThatAsksForANewOne() {
        assertThat(send("/reserve").code()).isEqualTo(200);
        HttpResponse<byte[]> response = send("/cancel");
        assertThat(response.code()).isEqualTo(409);
        assertThat(response.header("Retry-After")).isNull();
        assertThat(text(response))
                .contains("\"code\":\"key-used-elsewhere\"", "\"executed\":\"no\"", "\"retry\":\"new-key\"");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void aStatusThatTheBodyThrewIsAnsweredAgain() {
        HttpResponse<byte[]> first = send("/sold-out");
        HttpResponse<byte[]> again = send("/sold-out");
        assertThat(again.code()).isEqualTo(first.code()).isEqualTo(410);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.header("Idempotency-Status")).isNull();
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void anExceptionThatNobodyMapsIsAnsweredAgain() {
        HttpResponse<byte[]> first = send("/broken");
        assertThat(first.code()).isEqualTo(500);
        HttpResponse<byte[]> again = send("/broken");
        assertThat(again.code()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void anUnknownOutcomeIsAConflictWithoutRetryAfter() {
        assertThat(send("/cut-off").code()).isEqualTo(500);
        HttpResponse<byte[]> again = send("/cut-off");
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"outcome-unknown\"", "\"executed\":\"unknown\"");
        assertThat(again.header("Retry-After")).isNull();
        assertThat(shop.bodies).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({
        "201, outcome-unknown",
        "204, outcome-unknown",
        "301, outcome-unknown",
        "408, outcome-unknown",
        "500, outcome-unknown",
        "503, outcome-unknown"
    })
    void onlyARefusalOfTheSystemBehindSaysThatItDidNothing(int status, String code) {
        send("/answered/" + status);
        assertThat(text(send("/answered/" + status))).contains("\"code\":\"" + code + "\"");
        assertThat(shop.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 429})
    void aRefusalOfTheSystemBehindIsAnsweredAgain(int status) {
        HttpResponse<byte[]> first = send("/answered/" + status);
        HttpResponse<byte[]> again = send("/answered/" + status);
        assertThat(again.code()).isEqualTo(first.code()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void whereTheKeyIsOptionalARequestWithoutOneIsMarkedAsUnprotected() {
        HttpResponse<byte[]> response = send(post("/optional", ITEM));
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("Idempotency-Status")).isEqualTo("ignored");
        assertThat(send("/optional").header("Idempotency-Status")).isNull();
    }

    @Test
    void theMarkAppearsWhenTheAnnotatedMethodIsBelowTheController() {
        String item = "{\"name\":\"" + key + "\",\"price\":1}";
        HttpResponse<byte[]> first = send(post("/deep", item));
        HttpResponse<byte[]> second = send(post("/deep", item));
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(second)).isEqualTo(text(first));
    }

    @Test
    void malformedJsonIsRefusedBeforeTheKeyIsSpent() {
        assertThat(send(post("/pojo", "{\"name\":").header("Idempotency-Key", key))
                        .code())
                .isEqualTo(400);
        assertThat(send("/pojo").code()).isEqualTo(201);
        assertThat(shop.bodies).hasValue(1);
    }
}
