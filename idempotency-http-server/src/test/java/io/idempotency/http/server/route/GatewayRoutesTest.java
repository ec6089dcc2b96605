package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.idempotency.http.server.Wire;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are passed on to another system, protected by configuration. */
class GatewayRoutesTest {

    private final String key = UUID.randomUUID().toString();
    private static Upstream upstream;
    private static EmbeddedServer server;
    private static HttpClient client;

    @BeforeAll
    static void start() throws IOException {
        upstream = new Upstream();
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "test.upstream",
                        upstream.port(),
                        "idempotency.http.routes.gateway.path",
                        "/by-*/**",
                        "idempotency.http.routes.in-front.path",
                        "/in-front/**",
                        "idempotency.http.filter-order",
                        Gateways.CLAIM,
                        "idempotency.max-result-size",
                        10_000,
                        "micronaut.executors.blocking.type",
                        "fixed",
                        "micronaut.executors.blocking.number-of-threads",
                        1));
        client = server.getApplicationContext().createBean(HttpClient.class, server.getURL());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
        upstream.close();
    }

    @BeforeEach
    void reset() {
        upstream.requests.set(0);
        upstream.more = new CompletableFuture<>();
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "\"hello\"").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @CsvSource({
        "/annotated/known, 201",
        "/annotated/chunked, 200",
        "/annotated/json, 200",
        "/annotated/empty, 204",
        "/annotated/refused, 409",
        "/by-controller/known, 201",
        "/by-controller/json, 200",
        "/by-controller/chunked, 200",
        "/by-controller/empty, 204",
        "/by-controller/refused, 409",
        "/by-filter/known, 201",
        "/by-filter/chunked, 200",
        "/by-older-filter/known, 201",
        "/by-older-filter/chunked, 200"
    })
    void theOtherSystemIsAskedOnceAndItsAnswerIsRepeatedToTheByte(String path, int status) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).isEqualTo(status);
        assertThat(text(first)).isEqualTo(status == 204 ? "" : "answer 1 to \"hello\"");
        assertThat(first.header("Set-Cookie")).isEqualTo("upstream=1");
        // the other system's own are about its own keys
        assertThat(first.header("Idempotency-Status")).isEqualTo("executed;key=settled");
        assertThat(first.header("Idempotent-Replayed")).isNull();
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> replay = send(path);
            assertThat(replay.code()).isEqualTo(status);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.header("ETag")).isEqualTo("\"1\"");
            assertThat(replay.header("Content-Type")).isEqualTo(first.header("Content-Type"));
            assertThat(replay.header("Set-Cookie")).isNull();
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(replay.header("Idempotency-Status")).isNull();
        }
        assertThat(upstream.requests).hasValue(1);
    }

    @Test
    void anAnswerThatIsStillComingNeedsNoSecondThreadOfASmallExecutor() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> send("/blocking/slow"));
        server.getApplicationContext().getBean(Gateways.Blocking.class).passed.get();
        upstream.more.complete(null);
        assertThat(text(first.get())).isEqualTo("answer 1 to \"hello\"");
        assertThat(text(send("/blocking/slow"))).isEqualTo("answer 1 to \"hello\"");
        assertThat(upstream.requests).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/large",
                "/annotated/large-known",
                "/by-controller/large",
                "/by-controller/large-known",
                "/by-filter/large"
            })
    void anAnswerThatIsTooLargeToKeepIsPassedOnWholeAndThenSaidToHaveRun(String path) {
        HttpResponse<byte[]> first = send(path);
        assertThat(first.code()).isEqualTo(200);
        assertThat(text(first)).isEqualTo("1" + "x".repeat(100_000));
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"result-unavailable\"").doesNotContain("max-result-size");
        assertThat(upstream.requests).hasValue(1);
    }

    @Test
    void eventsOfTheOtherSystemArePassedOnWhenTheyHappen() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.getURI().resolve("/by-controller/events"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("\"hello\""))
                .build();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                java.net.http.HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("data: one");
            assertThat(text(send("/by-controller/events"))).contains("\"code\":\"in-progress\"");
            upstream.more.complete(null);
            assertThat(lines.lines()).containsExactly("", "data: two", "");
        }
        await().untilAsserted(() ->
                assertThat(text(send("/by-controller/events"))).contains("\"code\":\"result-unavailable\""));
        assertThat(upstream.requests).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/dropped", "/annotated/broken", "/annotated/bad-gateway",
                "/by-controller/dropped", "/by-controller/broken", "/by-controller/bad-gateway",
                "/by-filter/dropped", "/by-filter/broken", "/by-older-filter/bad-gateway"
            })
    void anAnswerThatGotLostLeavesTheOutcomeUnknownAndTheOtherSystemIsNotAskedAgain(String path) {
        assertThat(send(path).code()).isGreaterThanOrEqualTo(500);
        HttpResponse<byte[]> again = send(path);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"outcome-unknown\"");
        assertThat(upstream.requests).hasValue(1);
    }

    @Test
    void anAnswerThatSaysComeAgainAndBreaksOffIsAnErrorAndFreesTheKey() {
        assertThat(send("/annotated/busy").code()).isGreaterThanOrEqualTo(500);
        assertThat(send("/annotated/busy").code()).isGreaterThanOrEqualTo(500);
        assertThat(upstream.requests).hasValue(2);
    }

    @Test
    void eventsThatAnAnnotatedMethodPassesOnAreNotKept() {
        upstream.more.complete(null);
        assertThat(text(send("/annotated/events"))).isEqualTo("data: one\n\ndata: two\n\n");
        assertThat(text(send("/annotated/events"))).contains("\"code\":\"result-unavailable\"");
        assertThat(upstream.requests).hasValue(1);
    }

    @Test
    void aFilterThatAnswersInFrontOfTheProtectionIsReportedOnce() {
        List<ILoggingEvent> lines = LogLines.during(FilterReport.class, () -> {
            send("/in-front/known");
            send("/in-front/known");
            send("/by-filter/known");
        });
        assertThat(lines)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .contains("A POST", "idempotency.http.routes.in-front", "idempotency.http.filter-order")
                        .doesNotContain("/in-front/known")); // a path may be personal
        assertThat(upstream.requests).hasValue(3);
    }
}
