package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.ShopController;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** What goes over the wire, for an annotated route ({@code /shop}) and one that configuration protects ({@code /plain}). */
@Tag("any-jdk")
@MicronautTest
@Property(name = "test.shop", value = "true")
@Property(name = "test.plain", value = "true")
@Property(name = "idempotency.http.routes.plain-route.path", value = "/plain/**")
@Property(name = "idempotency.http.routes.plain-route.no-effect-status", value = "429")
@Property(name = "idempotency.http.routes.plain-optional.path", value = "/plain/text")
@Property(name = "idempotency.operations.plain-optional.key-required", value = "false")
@Property(name = "idempotency.max-result-size", value = "4000")
@Property(name = "micronaut.server.server-header", value = "shop")
class HttpProfileTest {

    private static final String ORDER = "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}";

    @Inject
    @Client("/")
    HttpClient client;

    @Inject
    ShopController shop;

    @Inject
    PlainController plain;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        shop.bodies.set(0);
        plain.bodies.set(0);
    }

    private HttpResponse<byte[]> send(MutableHttpRequest<?> request) {
        return new Wire(client).send(request);
    }

    private static MutableHttpRequest<String> keyed(String path, String key, String body) {
        return post(path, body).header("Idempotency-Key", key);
    }

    private HttpResponse<byte[]> send(String path, String body) {
        return send(keyed(path, key, body));
    }

    private HttpResponse<byte[]> send(String path) {
        return send(path, ORDER);
    }

    private void assertBodies(int times) {
        assertThat(shop.bodies.get() + plain.bodies.get()).as("bodies").isEqualTo(times);
    }

    private static Map<String, List<String>> head(HttpResponse<?> response) {
        Map<String, List<String>> head = new HashMap<>();
        response.getHeaders().forEach((name, values) -> head.put(name.toLowerCase(Locale.ROOT), values));
        List.of(
                        "date",
                        "idempotent-replayed",
                        "idempotency-status",
                        "idempotency-original",
                        "set-cookie",
                        "cache-control",
                        "x-trace")
                .forEach(head::remove);
        return head;
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/pojo, 201, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/shop/response, 201, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/shop/odd-status, 299, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/shop/reactive, 200, '{\"number\":1,\"name\":\"book\",\"price\":12.50}'",
        "/shop/nothing, 204, ''",
        "/shop/text, 200, sold 1",
        "/shop/maybe, 404,",
        "/shop/sold-out, 410,",
        "/plain/pojo, 201,",
        "/plain/blocking, 200,",
        "/plain/response, 201,",
        "/plain/open, 200,",
        "/plain/text, 200,",
        "/plain/bytes, 200,",
        "/plain/nothing, 204,",
        "/plain/empty, 404,",
        "/plain/mono, 200,",
        "/plain/refused, 400,",
        "/plain/gone, 410,",
        "/plain/returned/500, 500,",
        "/plain/returned/418, 418,",
        "/plain/query?times=3, 200,",
        "/plain/context, 200,"
    })
    void aReplayHasTheFirstStatusAndTheFirstBytesAndAMark(String path, int status, String body) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).as(text(first)).isEqualTo(status);
        assertThat(text(first)).isEqualTo(body == null ? text(first) : body);
        assertThat(first.header("Idempotent-Replayed")).isNull();
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> replay = send(path);
            assertThat(replay.code()).isEqualTo(status);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(head(replay)).isEqualTo(head(first));
            assertThat(replay.header("Date")).isNotNull();
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        }
        assertBodies(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shop/broken",
                "/shop/answered/400",
                "/shop/answered/429",
                "/plain/broken",
                "/plain/same-name?times=3"
            })
    void anExceptionThatNothingMapsIsReplayedAsAProblemWithTheFirstStatus(String path) {
        assertThat(send(path).code()).isEqualTo(500);
        HttpResponse<byte[]> replay = send(path);
        assertThat(replay.code()).isEqualTo(500);
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(replay)).contains("\"code\":\"previous-attempt-failed\"", "\"status\":500");
        assertBodies(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/response", "/plain/response"})
    void aReplayRepeatsTheLocationAndNeverCookiesOrTraces(String path) {
        assertThat(send(path).header("Set-Cookie")).contains("session");
        HttpResponse<byte[]> replay = send(path);
        assertThat(replay.header("Location")).isEqualTo(path.substring(0, path.lastIndexOf('/')) + "/1");
        assertThat(replay.getHeaders().contains("Set-Cookie")).isFalse();
        assertThat(replay.getHeaders().contains("X-Trace")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"/shop/pojo, sell-pojo", "/plain/pojo, plain-route"})
    void withoutAKeyTheRequestIsRefusedAndTheBodyDoesNotRun(String path, String operation) {
        HttpResponse<byte[]> response = send(post(path, ORDER));
        assertThat(response.code()).isEqualTo(400);
        assertThat(response.getContentType()).contains(MediaType.APPLICATION_JSON_PROBLEM_TYPE);
        assertThat(response.header("Link")).contains("rel=\"describedby\"");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(text(response))
                .contains("\"code\":\"key-missing\"", "\"executed\":\"no\"", "\"status\":400", operation);
        assertBodies(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/optional", "/plain/text"})
    void whereTheKeyIsOptionalARequestWithoutOneIsMarkedAsUnprotected(String path) {
        HttpResponse<byte[]> response = send(post(path, ORDER));
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("Idempotency-Status")).isEqualTo("ignored");
        assertThat(path.startsWith("/shop") || plain.unprotected.get())
                .as("the body was told")
                .isTrue();
        assertThat(send(path).header("Idempotency-Status")).isEqualTo("executed;key=settled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void aMalformedKeyIsRefusedAndTheBodyDoesNotRun(String path) {
        for (String malformed : List.of("a,b", "\"open", "two words", "\"\"", "k".repeat(256))) {
            HttpResponse<byte[]> response = send(keyed(path, malformed, ORDER));
            assertThat(response.code()).isEqualTo(400);
            assertThat(text(response)).contains("\"code\":\"key-invalid\"", "\"executed\":\"no\"");
        }
        assertThat(send(keyed(path, key, ORDER).header("Idempotency-Key", key)).code())
                .isEqualTo(400);
        assertBodies(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void quotedAndBareFormsAreOneKey(String path) {
        send(path);
        assertThat(send(keyed(path, '"' + key + '"', ORDER)).header("Idempotent-Replayed"))
                .isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void theSameKeyWithAnotherPayloadIsUnprocessable(String path) {
        send(path);
        HttpResponse<byte[]> response = send(path, ORDER.replace("12.50", "99"));
        assertThat(response.code()).isEqualTo(422);
        assertThat(text(response)).contains("\"code\":\"key-reused\"", "\"retry\":\"new-key\"");
        assertBodies(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/shop/cut-off",
                "/shop/answered/201",
                "/shop/answered/204",
                "/shop/answered/301",
                "/shop/answered/408",
                "/shop/answered/500",
                "/shop/answered/503",
                "/plain/cut-off",
                "/plain/returned/502",
                "/plain/returned/503",
                "/plain/returned/504"
            })
    void whatLeavesTheOutcomeOpenIsAConflictWithoutRetryAfterFromThenOn(String path) {
        assertThat(send(path).code()).isGreaterThanOrEqualTo(500);
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"outcome-unknown\"", "\"executed\":\"unknown\"");
        assertThat(again.header("Retry-After")).isNull();
        assertBodies(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/plain/pojo"})
    void malformedJsonIsRefusedBeforeTheKeyIsSpent(String path) {
        assertThat(send(path, "{\"name\":").code()).isEqualTo(400);
        assertThat(send(path).code()).isEqualTo(201);
        assertBodies(1);
    }

    @Test
    void theSameKeyOnAnotherRouteIsAnotherKey() {
        send("/shop/pojo");
        assertThat(send("/shop/text").header("Idempotent-Replayed")).isNull();
        assertBodies(2);
    }

    @Test
    void theSameKeyForAnotherOperationThatSharesItsKeysIsAConflictThatAsksForANewOne() {
        assertThat(send("/shop/reserve").code()).isEqualTo(200);
        HttpResponse<byte[]> response = send("/shop/cancel");
        assertThat(response.code()).isEqualTo(409);
        assertThat(response.header("Retry-After")).isNull();
        assertThat(text(response))
                .contains("\"code\":\"key-used-elsewhere\"", "\"executed\":\"no\"", "\"retry\":\"new-key\"");
        assertBodies(1);
    }

    @Test
    void theMarkAppearsWhenTheAnnotatedMethodIsBelowTheController() {
        String item = "{\"name\":\"" + key + "\",\"price\":1}";
        HttpResponse<byte[]> first = send(post("/shop/deep", item));
        HttpResponse<byte[]> second = send(post("/shop/deep", item));
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(second)).isEqualTo(text(first));
    }

    @Test
    void aFormIsProtectedToo() {
        MutableHttpRequest<?> form = HttpRequest.POST("/plain/form", "item=book")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED_TYPE)
                .header("Idempotency-Key", key);
        assertThat(text(send(form))).isEqualTo("book1");
        HttpResponse<byte[]> replay = send(HttpRequest.POST("/plain/form", "item=book")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED_TYPE)
                .header("Idempotency-Key", key));
        assertThat(text(replay)).isEqualTo("book1");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void aRequestWithoutABodyIsProtectedToo() {
        HttpResponse<byte[]> first = send(HttpRequest.DELETE("/plain/7").header("Idempotency-Key", key));
        assertThat(first.code()).isEqualTo(200);
        HttpResponse<byte[]> replay = send(HttpRequest.DELETE("/plain/7").header("Idempotency-Key", key));
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body()).isEqualTo(first.body());
    }

    @Test
    void safeMethodsAreLeftAlone() {
        HttpResponse<byte[]> response = send(HttpRequest.GET("/plain/bodies").header("Idempotency-Key", key));
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("Idempotency-Status")).isNull();
    }

    @Test
    void anythingElseInTheRequestIsAnotherPayload() {
        send("/plain/query?times=3");
        for (MutableHttpRequest<?> other : List.of(
                keyed("/plain/query?times=4", key, ORDER),
                keyed("/plain/query?times=3", key, ORDER.replace("12.50", "12.5")),
                keyed("/plain/response", key, ORDER),
                keyed("/plain/query?times=3", key, ORDER).contentType("application/json; charset=utf-16"))) {
            HttpResponse<byte[]> refused = send(other);
            assertThat(refused.code()).isEqualTo(422);
            assertThat(text(refused)).contains("\"code\":\"key-reused\"");
        }
        assertBodies(1);
    }

    @Test
    void aSlashAtTheEndIsNoWayAroundTheProtection() {
        assertThat(send(post("/plain/pojo/", ORDER)).code()).isEqualTo(400);
        assertThat(send(post("/plain/text/", ORDER)).header("Idempotency-Status"))
                .isEqualTo("ignored");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain/later", "/plain/blocking"})
    void aDuplicateInFlightIsToldSo(String path) {
        CountDownLatch gate = new CountDownLatch(1);
        plain.gate.set(gate);
        try {
            Mono<?> first = Mono.from(client.exchange(keyed(path, key, ORDER), byte[].class));
            var answer = first.toFuture();
            Awaitility.await().until(() -> plain.bodies.get() == 1);
            HttpResponse<byte[]> duplicate = send(path);
            assertThat(text(duplicate)).contains("\"code\":\"in-progress\"");
            assertThat(duplicate.header("Retry-After")).isNotNull();
            gate.countDown();
            assertThat(answer).succeedsWithin(java.time.Duration.ofSeconds(60));
        } finally {
            gate.countDown();
        }
        assertThat(send(path).header("Idempotent-Replayed")).isEqualTo("true");
        assertBodies(1);
    }

    /** "In progress, try again with the same key" would not be true of the request's own key. */
    @Test
    void aRefusalBelowTheRouteThatLeavesTheOutcomeOpenIsAnsweredAsThat() {
        HttpResponse<byte[]> first = send("/plain/busy-below");
        assertThat(first.code()).isEqualTo(409);
        assertThat(text(first)).contains("\"code\":\"outcome-unknown\"");
        assertThat(text(send("/plain/busy-below"))).contains("\"code\":\"outcome-unknown\"");
        assertBodies(1);
    }

    @Test
    void aStatusThatIsDeclaredAsNoEffectLetsTheKeyTryAgain() {
        assertThat(send("/plain/returned/429").code()).isEqualTo(429);
        assertThat(send("/plain/returned/429").code()).isEqualTo(429);
        assertBodies(2);
    }

    @Test
    void whatTheServerRefusesBeforeAnyRouteRunsDoesNotSpendTheKey() {
        assertThat(send("/plain/nowhere/at-all").code()).isEqualTo(404);
        assertThat(send(keyed("/plain/pojo", key, ORDER).contentType(MediaType.APPLICATION_XML_TYPE))
                        .code())
                .isEqualTo(415);
        assertThat(send("/plain/query?times=many").code()).isEqualTo(400);
        assertThat(send("/plain/query").code()).isEqualTo(400);
        assertThat(send("/plain/pojo").code()).isEqualTo(201);
        assertBodies(1);
    }

    @ParameterizedTest
    @CsvSource({"/plain/stream, 3", "/plain/file, 1", "/plain/large, 1"})
    void whatCannotBeKeptIsAnsweredOnceAndThenSaidToHaveRun(String path, int bodies) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).isEqualTo(200);
        assertThat(text(first)).matches("(?s)part 0 of 1.*part 2 of 3|file 1|x{5000}1");
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"result-unavailable\"", "\"executed\":\"yes\"");
        assertBodies(bodies);
    }
}
