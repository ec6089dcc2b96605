package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.inProgress;
import static io.idempotency.http.client.ScriptedServer.Answer.lost;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.http.client.ScriptedServer.Answer;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** What is sent again, when, and what never is. Every test is made with each kind of client method. */
@Tag("any-jdk")
@MicronautTest(startApplication = false)
class OwnRetryTest extends PspApplication {

    private static final Duration FIRST = Duration.ofMillis(500);

    /** A client method of one kind, called and awaited. */
    record Kind(String name, Function<PspClient, PspClient.Charge> call) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.concat(
                whole(),
                Stream.of(new Kind("Flux", client -> client.chargeFlux(ORDER).blockFirst())));
    }

    /** Those whose answers are read as a whole, whatever their status. */
    static Stream<Kind> whole() {
        return Stream.of(
                new Kind("value", client -> client.charge(ORDER)),
                new Kind("response", client -> client.exchange(ORDER).body()),
                new Kind("Mono", client -> client.chargeMono(ORDER).block()),
                new Kind("Single", client -> client.chargeSingle(ORDER).blockingGet()),
                new Kind("stage", OwnRetryTest::joined));
    }

    private static PspClient.Charge joined(PspClient client) {
        try {
            return client.chargeStage(ORDER).toCompletableFuture().join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private void assertOneKeyIn(int attempts) {
        assertThat(server.keys()).hasSize(attempts);
        assertThat(server.keys().stream().distinct()).singleElement().asString().isNotEmpty();
        assertThat(timer.delays).hasSize(attempts - 1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aLostAnswerIsAskedForAgainUnderTheSameKey(Kind kind) {
        server.answer(lost(), lost(), created());
        assertThat(kind.call().apply(psp).id()).isEqualTo("ch-1");
        assertOneKeyIn(3);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aFailureOfTheServerOrTooManyRequestsAreRetriedUnderTheSameKey(Kind kind) {
        server.answer(plain(503), plain(429), plain(500), created());
        assertThat(kind.call().apply(psp).id()).isEqualTo("ch-1");
        assertOneKeyIn(4);
    }

    @ParameterizedTest
    @MethodSource("whole")
    void anAnswerInProgressIsRetriedWhenTheServerSays(Kind kind) {
        server.answer(inProgress().with("Retry-After", "7"), created());
        assertThat(kind.call().apply(psp).id()).isEqualTo("ch-1");
        assertOneKeyIn(2);
        assertThat(timer.delays.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7_250));
    }

    /** Answers of servers that nobody here wrote, which say that the same request may succeed later. */
    static Stream<Answer> transients() {
        return Stream.of(
                plain(408),
                plain(425),
                plain(429).with("Retry-After", "1"),
                plain(503),
                plain(409).with("Retry-After", "1"),
                json(409, "{\"error\":{\"type\":\"idempotency_error\",\"code\":\"idempotency_key_in_use\"}}"),
                json(
                        409,
                        "{\"type\":\"https://developer.example.com/idempotency\",\"title\":\"A request is outstanding\"}"),
                json(
                        409,
                        "{\"type\":\"about:blank\",\"title\":\"A request is outstanding for this Idempotency-Key\"}"));
    }

    @ParameterizedTest
    @MethodSource("transients")
    void whatAnyServerSaysToBePassingIsRetriedUnderTheSameKeyAndNotForever(Answer answer) {
        server.answer(answer, answer, created());
        assertThat(psp.charge(ORDER).id()).isEqualTo("ch-1");
        assertOneKeyIn(3);
        timer.delays.clear();
        server.answer(answer);
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(HttpClientResponseException.class);
        assertOneKeyIn(4);
    }

    private static Answer json(int status, String body) {
        return new Answer(status, "application/problem+json", body, Map.of());
    }

    /** Deployments choose the statuses of their refusals. */
    @ParameterizedTest
    @ValueSource(ints = {409, 423, 425, 429, 503})
    void whatARefusalSaysCountsWhateverItsStatusIs(int status) {
        server.answer(problem(status, "in-progress", "unknown", "same-key"), created());
        assertThat(psp.charge(ORDER).id()).isEqualTo("ch-1");
        assertOneKeyIn(2);
        timer.delays.clear();
        server.answer(problem(status, "outcome-unknown", "unknown", "never"));
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(OutcomeUnknownException.class);
        assertOneKeyIn(1);
    }

    @ParameterizedTest
    @MethodSource("whole")
    void noOtherRefusalIsEverSentAgain(Kind kind) {
        List<Answer> refusals = List.of(
                plain(400),
                plain(409),
                plain(422),
                plain(422).with("Retry-After", "1"),
                json(409, "{\"error\":{\"code\":\"account_closed\"}}"),
                json(409, "{\"type\":\"/problems/order-closed\",\"title\":\"The order is closed\"}"),
                json(400, "{\"error\":{\"type\":\"idempotency_error\"}}"),
                plain(403),
                problem(422, "key-reused", "no", "new-key"),
                problem(409, "outcome-unknown", "unknown", "never"),
                problem(409, "key-used-elsewhere", "no", "new-key"),
                problem(503, "previous-attempt-failed", "yes", "never"));
        for (Answer refusal : refusals) {
            server.answer(refusal);
            assertThatThrownBy(() -> kind.call().apply(psp)).isNotNull();
            assertOneKeyIn(1);
        }
    }

    @Test
    void ofARefusedStreamTheHeaderCountsBecauseMicronautDoesNotReadItsBody() {
        server.answer(inProgress(), created());
        assertThatThrownBy(() -> psp.chargeFlux(ORDER).blockFirst()).isInstanceOf(HttpClientException.class);
        assertOneKeyIn(1);
        server.answer(refused("in-progress", "same-key"), created());
        assertThat(psp.chargeFlux(ORDER).blockFirst().id()).isEqualTo("ch-1");
        assertOneKeyIn(2);
        server.answer(refused("previous-attempt-failed", "never"));
        assertThatThrownBy(() -> psp.chargeFlux(ORDER).blockFirst()).isInstanceOf(PreviousAttemptFailedException.class);
        assertOneKeyIn(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aSuccessIsNeverSentAgainWhateverItsBodySays(Kind kind) {
        server.answer(
                json(200, "{\"id\":\"ch-1\",\"code\":\"in-progress\",\"executed\":\"no\",\"retry\":\"same-key\"}"));
        assertThat(kind.call().apply(psp).id()).isEqualTo("ch-1");
        assertOneKeyIn(1);
    }

    private Answer refused(String code, String retry) {
        timer.delays.clear();
        return plain(409)
                .with(
                        "Idempotency-Status",
                        "executed;op=\"a\", refused;code=" + code + ";executed=unknown;retry=" + retry);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void afterTheLastAttemptTheLastFailureArrives(Kind kind) {
        server.answer(plain(503));
        assertThatThrownBy(() -> kind.call().apply(psp)).isInstanceOf(HttpClientException.class);
        assertOneKeyIn(4);
    }

    @Test
    void delaysGrowAndVary() {
        server.answer(plain(503), plain(503), plain(503), created());
        psp.charge(ORDER);
        assertThat(timer.delays.get(0)).isBetween(FIRST.dividedBy(2), FIRST);
        assertThat(timer.delays.get(1)).isBetween(FIRST, FIRST.multipliedBy(2));
        assertThat(timer.delays.get(2)).isBetween(FIRST.multipliedBy(2), FIRST.multipliedBy(4));
    }

    @Test
    void aDateInRetryAfterIsHonoured() {
        String soon = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(20));
        server.answer(plain(503).with("Retry-After", soon), created());
        psp.charge(ORDER);
        assertThat(timer.delays.get(0)).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(21));
    }

    @Test
    void aServerThatAsksForLongerThanTheLongestDelayIsNotAskedAgain() {
        server.answer(plain(503).with("Retry-After", "31"), created());
        assertThatThrownBy(() -> psp.charge(ORDER)).isNotNull();
        assertOneKeyIn(1);
        server.answer(plain(503).with("Retry-After", "30"), created());
        psp.charge(ORDER);
        assertOneKeyIn(2);
    }

    @Test
    void anInterruptEndsTheWaitingAndIsNotLost() {
        timer.interrupts = true;
        server.answer(plain(503), created());
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(HttpClientException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.keys()).hasSize(1);
    }

    /** The second one is of a first answer, which the server has recorded. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aRecordedAnswerEndsTheRetriesWhateverItsStatusIs(Kind kind) {
        for (int status : new int[] {500, 503, 429, 409}) {
            Answer answer = plain(status).with("Retry-After", "1");
            timer.delays.clear();
            server.answer(answer.and("Idempotent-Replayed", "true"));
            assertThatThrownBy(() -> kind.call().apply(psp)).isNotNull();
            assertOneKeyIn(1);
            server.answer(answer.and("Idempotency-Status", "executed;key=settled"));
            assertThatThrownBy(() -> kind.call().apply(psp)).isNotNull();
            assertOneKeyIn(1);
        }
    }

    @Test
    void aFirstAnswerThatLeftTheKeyFreeIsSentAgain() {
        server.answer(
                plain(429).with("Idempotency-Status", "executed;key=free"),
                plain(503).with("Idempotent-Replayed", "false"),
                created());
        assertThat(psp.charge(ORDER).id()).isEqualTo("ch-1");
        assertOneKeyIn(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ignored", "executed;op=\"reserve\", ignored;op=\"charge\";n=2"})
    void whatRanUnprotectedIsNotRunAgain(String status) {
        server.answer(plain(503).with("Idempotency-Status", status));
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(HttpClientResponseException.class);
        assertOneKeyIn(1);
    }

    static Stream<Function<PspClient, Runnable>> cancelled() {
        return Stream.of(
                client -> {
                    CompletableFuture<?> call = client.chargeStage(ORDER).toCompletableFuture();
                    return () -> call.cancel(true);
                },
                client -> {
                    CompletableFuture<?> call = client.chargeFuture(ORDER);
                    return () -> call.cancel(false);
                },
                client -> client.chargeMono(ORDER).subscribe()::dispose);
    }

    @ParameterizedTest
    @MethodSource("cancelled")
    void whatIsCancelledIsNotSentAgain(Function<PspClient, Runnable> call) {
        timer.open = new CompletableFuture<>();
        server.answer(plain(503));
        Runnable cancel = call.apply(psp);
        await().until(() -> timer.delays.size() == 1);
        cancel.run();
        await().untilAsserted(
                        () -> assertThat(timer.cancelled).hasValue(1)); // one that is not yet waited for ends later
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void withoutRetriesNothingIsSentAgain() {
        server.answer(plain(503));
        assertThatThrownBy(() -> psp.once(ORDER)).isNotNull();
        assertOneKeyIn(1);
    }

    @Test
    void aBodyThatCanBeReadOnceOnlyIsNotSentAgain() {
        server.answer(plain(503), created());
        assertThatThrownBy(() -> psp.upload(Flux.just("x".getBytes()))).isNotNull();
        assertOneKeyIn(1);
    }
}
