package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** One rule for what is recorded, whatever made the answer and whatever protects the route. */
@Tag("any-jdk")
@MicronautTest
@Property(name = "test.outcomes", value = "true")
@Property(name = "idempotency.operations.outcomes-hanging.lease", value = "300ms")
@Property(name = "idempotency.http.routes.outcomes-configured.path", value = "/outcomes/configured*/**")
@Property(name = "idempotency.http.routes.outcomes-conf-released.path", value = "/outcomes/configured-released/**")
@Property(name = "idempotency.operations.outcomes-conf-released.on-failure", value = "RELEASE")
@Property(name = "idempotency.http.routes.outcomes-conf-declared.path", value = "/outcomes/configured-declared/**")
@Property(name = "idempotency.http.routes.outcomes-conf-declared.no-effect-status", value = "503")
@Property(name = "idempotency.http.routes.outcomes-conf-declared.unknown-status", value = "418")
@Property(name = "idempotency.http.operations.outcomes-declared.no-effect-status", value = "503")
@Property(name = "idempotency.http.operations.outcomes-declared.unknown-status", value = "418")
class RecordedAnswersTest {

    private static final List<String> KINDS = List.of(
            "annotated", "annotated-here", "annotated-later", "annotated-mono", "configured", "configured-mono");

    @Inject
    @Client("/outcomes")
    HttpClient client;

    @Inject
    OutcomesController controller;

    @Inject
    EmbeddedServer server;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        controller.bodies.set(0);
    }

    private HttpResponse<byte[]> send(String path, int amount) {
        return new Wire(client).send(post(path, "{\"amount\":" + amount + "}").header("Idempotency-Key", key));
    }

    private static Stream<Arguments> paths(String... answers) {
        return KINDS.stream()
                .flatMap(kind -> Stream.of(answers).map(answer -> Arguments.of("/" + kind + "/" + answer)));
    }

    static Stream<Arguments> recorded() {
        return paths(
                "returned/200",
                "returned/409",
                "returned/422",
                "returned/500",
                "thrown/410",
                "thrown/500",
                "thrown-body/409",
                "mapped/412",
                "mapped/500",
                "partly/429",
                "partly/503",
                "refused/429",
                "local/412");
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void theResponseThatWasSentIsReplayedToTheByte(String path) {
        HttpResponse<byte[]> first = send(path, 1);
        assertThat(first.code()).as(text(first)).isEqualTo(Integer.parseInt(path.substring(path.length() - 3)));
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(first.header("Idempotency-Status")).isEqualTo("executed;key=settled");
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> replay = send(path, 1);
            assertThat(replay.header("Idempotency-Status")).isNull();
            assertThat(replay.code()).as(text(replay)).isEqualTo(first.code());
            assertThat(text(replay)).isEqualTo(text(first));
            assertThat(replay.header("Content-Type")).isEqualTo(first.header("Content-Type"));
            assertThat(replay.header("ETag")).isEqualTo(first.header("ETag"));
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(replay.header("Cache-Control")).isEqualTo("no-store");
        }
        assertThat(controller.bodies).hasValue(1);
    }

    static Stream<Arguments> unmapped() {
        return paths("broken/500");
    }

    /** Its text is for the log. Micronaut's error page has it, which the first caller gets. */
    @ParameterizedTest
    @MethodSource("unmapped")
    void theTextOfAnExceptionThatNobodyMappedIsNeitherStoredNorReplayed(String path) {
        HttpResponse<byte[]> first = send(path, 1);
        assertThat(first.code()).isEqualTo(500);
        assertThat(text(first)).contains("broken");
        HttpResponse<byte[]> replay = send(path, 1);
        assertThat(replay.code()).isEqualTo(500);
        assertThat(replay.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(replay))
                .contains("\"code\":\"previous-attempt-failed\"", "\"status\":500", "\"executed\":\"yes\"")
                .doesNotContain("broken");
        assertThat(stored()).contains("previous-attempt-failed").doesNotContain("broken 1");
        assertThat(controller.bodies).hasValue(1);
    }

    private String stored() {
        return store.list(RecordState.COMPLETED, Duration.ZERO, 1000).stream()
                .filter(record -> record.result() instanceof StoredResult.Present)
                .map(record ->
                        new String(((StoredResult.Present) record.result()).bytes(), StandardCharsets.ISO_8859_1))
                .collect(Collectors.joining());
    }

    static Stream<Arguments> undecided() {
        return paths(
                "returned/502",
                "returned/503",
                "returned/504",
                "thrown/503",
                "mapped/503",
                "local/504",
                "cut-off/500",
                "reset/400",
                "refused/502",
                "mapped-cut-off/422");
    }

    @ParameterizedTest
    @MethodSource("undecided")
    void anUndecidedAnswerIsSentOnceAndLeavesTheOutcomeUnknown(String path) {
        HttpResponse<byte[]> first = send(path, 1);
        assertThat(first.code()).as(text(first)).isEqualTo(Integer.parseInt(path.substring(path.length() - 3)));
        assertThat(first.header("Idempotency-Status")).isEqualTo("executed;key=in-doubt");
        HttpResponse<byte[]> again = send(path, 1);
        assertThat(again.code()).isEqualTo(409);
        assertThat(text(again)).contains("\"code\":\"outcome-unknown\"");
        assertThat(controller.bodies).hasValue(1);
    }

    static Stream<Arguments> without() {
        return paths(
                "returned/408",
                "returned/425",
                "returned/429",
                "thrown/408",
                "thrown/429",
                "mapped/425",
                "mapped/429",
                "local/429");
    }

    @ParameterizedTest
    @MethodSource("without")
    void anAnswerThatAsksToComeBackFreesTheKey(String path) {
        for (int i = 1; i <= 2; i++) {
            HttpResponse<byte[]> response = send(path, 1);
            assertThat(response.code()).isEqualTo(Integer.parseInt(path.substring(path.length() - 3)));
            assertThat(response.header("Idempotent-Replayed")).isNull();
            assertThat(response.header("Idempotency-Status")).isEqualTo("executed;key=free");
            if (path.contains("returned") || path.contains("mapped")) {
                assertThat(response.header("Retry-After")).isEqualTo("7");
            }
            assertThat(controller.bodies).hasValue(i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "annotated-released, returned/422",
        "annotated-released, returned/500",
        "annotated-released, thrown/410",
        "annotated-released, mapped/412",
        "annotated-released, broken/500",
        "configured-released, returned/422",
        "configured-released, returned/500",
        "configured-released, thrown/410",
        "configured-released, mapped/412",
        "configured-released, broken/500"
    })
    void onFailureReleasesErrorsWhateverMadeThem(String kind, String answer) {
        for (int i = 1; i <= 2; i++) {
            assertThat(send("/" + kind + "/" + answer, 1).header("Idempotent-Replayed"))
                    .isNull();
            assertThat(controller.bodies).hasValue(i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "annotated-released, returned/503",
        "annotated-final, returned/503",
        "annotated-released, thrown/504",
        "annotated-released, cut-off/500",
        "configured-released, returned/503",
        "configured-released, thrown/504",
        "configured-released, reset/400",
        "configured-released, cut-off/500"
    })
    void onFailureReleasesNothingUndecided(String kind, String answer) {
        anUndecidedAnswerIsSentOnceAndLeavesTheOutcomeUnknown("/" + kind + "/" + answer);
    }

    @ParameterizedTest
    @CsvSource({
        "annotated-declared, returned", "annotated-declared, thrown", "annotated-declared, mapped",
        "configured-declared, returned", "configured-declared, thrown", "configured-declared, mapped"
    })
    void whatAStatusMeansIsDeclaredForBothKinds(String kind, String how) {
        anAnswerThatAsksToComeBackFreesTheKey("/" + kind + "/" + how + "/503");
        reset();
        String path = "/" + kind + "/" + how + "/418";
        HttpResponse<byte[]> open = send(path, 2);
        assertThat(open.code()).isEqualTo(418);
        assertThat(text(send(path, 2))).contains("\"code\":\"outcome-unknown\"");
        assertThat(controller.bodies).hasValue(1);
    }

    @Test
    void whoCallsTheMethodWithoutARequestOfItsOwnGetsTheRefusal() {
        HttpResponse<byte[]> first = send("/annotated-keyed", 77);
        assertThat(first.code()).isEqualTo(412);
        assertThat(send("/annotated-keyed", 77).body()).isEqualTo(first.body());
        assertThat(text(send("/below", 77))).isEqualTo(OutcomesController.Mapped.class.getName());
        assertThat(controller.bodies).hasValue(1);
    }

    @Test
    void theAnswerForAClientThatIsGoneIsRecordedToo() throws IOException {
        controller.gate.set(new CompletableFuture<>());
        String body = "{\"amount\":1}";
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            String head =
                    "POST /outcomes/annotated-gone HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Idempotency-Key: " + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.ISO_8859_1));
            Awaitility.await().until(() -> controller.bodies.get() == 1);
            assertThat(text(send("/annotated-gone", 1))).contains("\"code\":\"in-progress\"");
        }
        controller.gate.get().completeExceptionally(new OutcomesController.Mapped(412, null));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(send("/annotated-gone", 1).code()).isEqualTo(412));
        assertThat(controller.bodies).hasValue(1);
    }

    @Test
    void aFailureThatNobodyAnswersIsRecordedWithoutAnAnswer() {
        CompletableFuture<?> first = Mono.from(client.exchange(
                        post("/annotated-hanging/hanging/500", "{\"amount\":1}").header("Idempotency-Key", key)))
                .toFuture();
        Awaitility.await().until(() -> controller.bodies.get() == 1);
        Awaitility.await()
                .untilAsserted(() -> assertThat(text(send("/annotated-hanging/hanging/500", 1)))
                        .contains("\"code\":\"previous-attempt-failed\""));
        assertThat(controller.bodies).hasValue(1);
        first.cancel(true);
    }

    @Test
    void aRetriedMethodIsTriedAgainBeforeAnybodyAnswers() {
        assertThat(send("/annotated-retried/mapped/412", 1).code()).isEqualTo(409);
        assertThat(send("/annotated-retried/mapped/412", 1).code()).isEqualTo(409);
        assertThat(controller.bodies).hasValue(1);
    }

    /** The status that an exception names counts also where nobody has answered with it yet. */
    @ParameterizedTest
    @ValueSource(strings = {"annotated-retried-released", "annotated-retried-later"})
    void aRetriedMethodThatLeavesOpenWhatItDidIsNotRunAgain(String kind) {
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> response = send("/" + kind + "/thrown/504", 1);
            assertThat(response.code()).isEqualTo(409);
            assertThat(text(response)).contains("\"code\":\"outcome-unknown\"");
            assertThat(controller.bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated-retried", "annotated-retried-released", "annotated-retried-later"})
    void aRetriedMethodThatDidNothingIsRunAgain(String kind) {
        HttpResponse<byte[]> response = send("/" + kind + "/thrown/429", 1);
        assertThat(response.code()).isEqualTo(429);
        assertThat(response.header("Idempotency-Status")).doesNotContain("settled");
        assertThat(controller.bodies).hasValueGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "annotated",
                "annotated-here",
                "annotated-later",
                "annotated-mono",
                "configured",
                "configured-mono"
            })
    void anErrorOfTheArgumentsIsBeforeTheBodyAndFreesTheKey(String kind) {
        assertThat(send("/" + kind + "/returned/200", 0).code()).isEqualTo(400);
        assertThat(send("/" + kind + "/returned/200", 0).header("Idempotent-Replayed"))
                .isNull();
        assertThat(send("/" + kind + "/returned/200", 1).code()).isEqualTo(200);
        assertThat(controller.bodies).hasValue(1);
    }
}
