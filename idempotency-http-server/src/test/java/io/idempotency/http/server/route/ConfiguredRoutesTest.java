package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Routes that configuration protects, without a change to their code. */
@MicronautTest
@Property(name = "test.plain", value = "true")
@Property(name = "idempotency.http.routes.plain-route.path", value = "/plain/**")
@Property(name = "idempotency.http.routes.plain-route.no-effect-status", value = "429")
@Property(name = "idempotency.http.routes.plain-optional.path", value = "/plain/text")
@Property(name = "idempotency.operations.plain-optional.key-required", value = "false")
@Property(name = "idempotency.max-result-size", value = "4000")
@Property(name = "micronaut.server.server-header", value = "shop")
class ConfiguredRoutesTest {

    private static final String ORDER = "{\"item\":\"book\",\"price\":12.50}";

    @Inject
    @Client("/plain")
    HttpClient client;

    @Inject
    PlainController plain;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        plain.bodies.set(0);
    }

    private HttpResponse<byte[]> send(MutableHttpRequest<?> request) {
        return new Wire(client).send(request);
    }

    private MutableHttpRequest<String> keyed(String path, String body) {
        return post(path, body).header("Idempotency-Key", key);
    }

    private HttpResponse<byte[]> send(String path) {
        return send(keyed(path, ORDER));
    }

    private static Map<String, List<String>> head(HttpResponse<?> response) {
        Map<String, List<String>> head = new HashMap<>();
        response.getHeaders().forEach((name, values) -> head.put(name.toLowerCase(Locale.ROOT), values));
        List.of("date", "idempotent-replayed", "idempotency-original", "set-cookie", "cache-control")
                .forEach(head::remove);
        return head;
    }

    @ParameterizedTest
    @CsvSource({
        "/pojo, 201",
        "/blocking, 200",
        "/response, 201",
        "/open, 200",
        "/text, 200",
        "/bytes, 200",
        "/nothing, 204",
        "/empty, 404",
        "/mono, 200",
        "/refused, 400",
        "/gone, 410",
        "/returned/500, 500",
        "/returned/418, 418",
        "/query?times=3, 200",
        "/context, 200"
    })
    void anAnswerIsRecordedAndRepeatedToTheByte(String path, int status) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).as(text(first)).isEqualTo(status);
        assertThat(first.header("Idempotent-Replayed")).isNull();
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> replay = send(path);
            assertThat(replay.code()).isEqualTo(status);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(head(replay)).isEqualTo(head(first));
            assertThat(replay.header("Date")).isNotNull();
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        }
        assertThat(plain.bodies).hasValue(1);
    }

    @Test
    void cookiesAreTheFirstCallersOnly() {
        assertThat(send("/response").header("Set-Cookie")).contains("session");
        assertThat(send("/response").header("Set-Cookie")).isNull();
    }

    @Test
    void aFormIsProtectedToo() {
        MutableHttpRequest<?> form = HttpRequest.POST("/form", "item=book")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED_TYPE)
                .header("Idempotency-Key", key);
        assertThat(text(send(form))).isEqualTo("book1");
        HttpResponse<byte[]> replay = send(HttpRequest.POST("/form", "item=book")
                .contentType(MediaType.APPLICATION_FORM_URLENCODED_TYPE)
                .header("Idempotency-Key", key));
        assertThat(text(replay)).isEqualTo("book1");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void aRequestWithoutABodyIsProtectedToo() {
        HttpResponse<byte[]> first = send(HttpRequest.DELETE("/7").header("Idempotency-Key", key));
        assertThat(first.code()).isEqualTo(200);
        HttpResponse<byte[]> replay = send(HttpRequest.DELETE("/7").header("Idempotency-Key", key));
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body()).isEqualTo(first.body());
    }

    @Test
    void withoutAKeyTheRequestIsRefusedUnlessTheOperationPermitsIt() {
        HttpResponse<byte[]> refused = send(post("/pojo", ORDER));
        assertThat(refused.code()).isEqualTo(400);
        assertThat(text(refused)).contains("\"code\":\"key-missing\"");
        assertThat(plain.bodies).hasValue(0);
        HttpResponse<byte[]> optional = send(post("/text", ORDER));
        assertThat(optional.code()).isEqualTo(200);
        assertThat(optional.header("Idempotency-Status")).isEqualTo("ignored");
        assertThat(plain.unprotected).as("the body was told").isTrue();
    }

    @Test
    void aMalformedKeyIsRefused() {
        assertThat(send(post("/pojo", ORDER).header("Idempotency-Key", "a,b")).code())
                .isEqualTo(400);
        assertThat(plain.bodies).hasValue(0);
    }

    @Test
    void safeMethodsAreLeftAlone() {
        HttpResponse<byte[]> response = send(HttpRequest.GET("/bodies").header("Idempotency-Key", key));
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("Idempotency-Status")).isNull();
    }

    @Test
    void anythingElseInTheRequestIsAnotherPayload() {
        send("/query?times=3");
        for (MutableHttpRequest<?> other : List.of(
                keyed("/query?times=4", ORDER),
                keyed("/query?times=3", ORDER.replace("12.50", "12.5")),
                keyed("/response", ORDER),
                keyed("/query?times=3", ORDER).contentType("application/json; charset=utf-16"))) {
            HttpResponse<byte[]> refused = send(other);
            assertThat(refused.code()).isEqualTo(422);
            assertThat(text(refused)).contains("\"code\":\"key-reused\"");
        }
        assertThat(plain.bodies).hasValue(1);
    }

    @Test
    void aSlashAtTheEndIsNoWayAroundTheProtection() {
        assertThat(send(post("/pojo/", ORDER)).code()).isEqualTo(400);
        assertThat(send(post("/text/", ORDER)).header("Idempotency-Status")).isEqualTo("ignored");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/later", "/blocking"})
    void aDuplicateInFlightIsToldSo(String path) {
        CountDownLatch gate = new CountDownLatch(1);
        plain.gate.set(gate);
        try {
            Mono<?> first = Mono.from(client.exchange(keyed(path, ORDER), byte[].class));
            var answer = first.toFuture();
            Awaitility.await().until(() -> send(path).code() == 409);
            HttpResponse<byte[]> duplicate = send(path);
            assertThat(text(duplicate)).contains("\"code\":\"in-progress\"");
            assertThat(duplicate.header("Retry-After")).isNotNull();
            gate.countDown();
            assertThat(answer).succeedsWithin(java.time.Duration.ofSeconds(10));
        } finally {
            gate.countDown();
        }
        assertThat(send(path).header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(plain.bodies).hasValue(1);
    }

    @Test
    void theAnswerToAnExceptionIsRepeated() {
        HttpResponse<byte[]> first = send("/broken");
        assertThat(first.code()).isEqualTo(500);
        HttpResponse<byte[]> again = send("/broken");
        assertThat(again.code()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(plain.bodies).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cut-off", "/returned/502", "/returned/503", "/returned/504"})
    void whatLeavesTheOutcomeOpenIsUnknownFromThenOn(String path) {
        assertThat(send(path).code()).isGreaterThanOrEqualTo(500);
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"outcome-unknown\"");
        assertThat(plain.bodies).hasValue(1);
    }

    /** "In progress, try again with the same key" would not be true of the request's own key. */
    @Test
    void aRefusalBelowTheRouteThatLeavesTheOutcomeOpenIsAnsweredAsThat() {
        HttpResponse<byte[]> first = send("/busy-below");
        assertThat(first.code()).isEqualTo(409);
        assertThat(text(first)).contains("\"code\":\"outcome-unknown\"");
        assertThat(text(send("/busy-below"))).contains("\"code\":\"outcome-unknown\"");
        assertThat(plain.bodies).hasValue(1);
    }

    @Test
    void aStatusThatIsDeclaredAsNoEffectLetsTheKeyTryAgain() {
        assertThat(send("/returned/429").code()).isEqualTo(429);
        assertThat(send("/returned/429").code()).isEqualTo(429);
        assertThat(plain.bodies).hasValue(2);
    }

    @Test
    void whatTheServerRefusesBeforeAnyRouteRunsDoesNotSpendTheKey() {
        assertThat(send("/nowhere/at-all").code()).isEqualTo(404);
        assertThat(send(keyed("/pojo", ORDER).contentType(MediaType.APPLICATION_XML_TYPE))
                        .code())
                .isEqualTo(415);
        assertThat(send("/query?times=many").code()).isEqualTo(400);
        assertThat(send("/query").code()).isEqualTo(400);
        assertThat(send("/pojo").code()).isEqualTo(201);
        assertThat(plain.bodies).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"/stream, 3", "/file, 1", "/large, 1"})
    void whatCannotBeKeptIsAnsweredOnceAndThenSaidToHaveRun(String path, int bodies) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).isEqualTo(200);
        assertThat(text(first)).matches("(?s)part 0 of 1.*part 2 of 3|file 1|x{5000}1");
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"result-unavailable\"", "\"executed\":\"yes\"");
        assertThat(plain.bodies).hasValue(bodies);
    }
}
