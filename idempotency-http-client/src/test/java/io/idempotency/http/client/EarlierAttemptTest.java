package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.created;
import static io.idempotency.http.client.ScriptedServer.Answer.lost;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.http.client.ScriptedServer.Answer;
import io.idempotency.runtime.http.HttpClientClassifier;
import io.micronaut.context.annotation.Property;
import io.micronaut.discovery.exceptions.NoAvailableServiceException;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import io.micronaut.http.client.exceptions.ReadTimeoutException;
import io.micronaut.retry.exception.CircuitOpenException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** An attempt whose answer was lost leaves the outcome open, whatever the last attempt says of itself. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "idempotency.operations.remembered.programmatic", value = "true")
@Property(name = "idempotency.operations.released.programmatic", value = "true")
@Property(name = "idempotency.operations.released.on-failure", value = "RELEASE")
class EarlierAttemptTest extends PspApplication {

    private static final Answer IN_USE =
            new Answer(409, "application/json", "{\"error\":{\"code\":\"idempotency_key_in_use\"}}", Map.of());

    @Inject
    IdempotencyExecutor executor;

    @Inject
    LowLevel lowLevel;

    private String key = "";
    private final AtomicInteger bodies = new AtomicInteger();

    @BeforeEach
    void anotherKey() {
        key = UUID.randomUUID().toString();
        bodies.set(0);
    }

    static Stream<Answer> last() {
        return Stream.of(
                plain(500),
                plain(429),
                plain(429).with("Idempotent-Replayed", "false"),
                plain(425),
                plain(401),
                plain(403),
                plain(404),
                new Answer(404, "application/json", "{\"message\":\"not here\"}", Map.of()),
                plain(413),
                problem(503, "store-unavailable", "no", "same-key"),
                problem(503, "shutting-down", "no", "same-key"),
                problem(429, "too-many-records", "no", "same-key"),
                problem(422, "key-reused", "no", "new-key"),
                problem(403, "key-foreign", "no", "new-key"),
                problem(400, "key-invalid", "no", "new-key"),
                IN_USE);
    }

    @ParameterizedTest
    @MethodSource("last")
    void theBodyAroundTheCallRunsOnce(Answer last) {
        server.answer(lost(), last);
        assertThat(catchThrowable(this::charge)).isNotNull();
        assertThatThrownBy(this::charge).isInstanceOf(OutcomeUnknownException.class);
        assertThat(bodies).hasValue(1);
    }

    private String charge() {
        return charge("released");
    }

    private String charge(String operation) {
        return executor.execute(operation, key, null, String.class, () -> {
            bodies.incrementAndGet();
            return psp.charge(ORDER).id();
        });
    }

    static Stream<Answer> open() {
        return Stream.of(
                IN_USE,
                new Answer(409, "text/plain", "busy", Map.of("Retry-After", "0")),
                new Answer(409, "application/problem+json", "{\"title\":\"Idempotency-Key is in use\"}", Map.of()),
                plain(422).with("Idempotency-Status", "executed;key=in-doubt"),
                plain(422).with("Idempotency-Status", "executed;key=settled, executed;key=in-doubt"),
                plain(422)
                        .with(
                                "Idempotency-Status",
                                "failed;effect=unknown;op=\"several-cut-off\", executed;op=\"several-one\""),
                plain(422)
                        .with(
                                "Idempotency-Status",
                                "refused;code=outcome-unknown;executed=unknown;retry=never;op=\"several-cut-off\","
                                        + " replayed;op=\"several-one\""),
                problem(409, "of-a-later-version", "unknown", "never"));
    }

    /** An earlier run of the body sent it, and was cut off. */
    @ParameterizedTest
    @MethodSource("open")
    void aRequestThatIsStillInProgressIsNoFailure(Answer answer) {
        server.answer(answer);
        assertThatThrownBy(() -> charge("remembered")).isInstanceOf(HttpClientResponseException.class);
        assertThatThrownBy(() -> charge("remembered")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(bodies).hasValue(1);
    }

    @Test
    void soItIsWhereTheAttemptsAfterThatAnswerDoNothing() {
        server.answer(IN_USE, plain(429));
        assertThatThrownBy(() -> charge("remembered")).hasMessageContaining("an earlier attempt was sent");
        assertThatThrownBy(() -> charge("remembered")).isInstanceOf(OutcomeUnknownException.class);
    }

    @ParameterizedTest
    @MethodSource("answersOfTheKey")
    void anAnswerThatSaysWhatBecameOfTheRequestIsAFailure(Answer answer) {
        server.answer(answer);
        assertThatThrownBy(() -> charge("remembered")).isInstanceOf(HttpClientResponseException.class);
        assertThatThrownBy(() -> charge("remembered")).isInstanceOf(PreviousAttemptFailedException.class);
    }

    static Stream<Answer> answersOfTheKey() {
        return Stream.of(
                plain(402),
                plain(409),
                new Answer(
                        422, "application/problem+json", "{\"title\":\"Idempotency-Key is already used\"}", Map.of()),
                problem(409, "of-a-later-version", "no", "new-key"));
    }

    static Stream<Exception> unsent() {
        return Stream.of(
                new NoHostException("no host"),
                new NoAvailableServiceException("psp"),
                new CircuitOpenException("open"),
                new UnknownHostException("psp"),
                new IllegalStateException("redirected, and nothing was sent there"));
    }

    @ParameterizedTest
    @MethodSource("unsent")
    void soItIsWhereTheLastAttemptSentNothing(Exception last) {
        RetryLoop loop = RecordingTimer.loop(1);
        List<Exception> failures = new ArrayList<>(List.of(ReadTimeoutException.TIMEOUT_EXCEPTION, last));
        assertThatThrownBy(() -> executor.execute(
                        "released",
                        key,
                        null,
                        String.class,
                        () -> String.valueOf(loop.blocking(() -> {
                            throw failures.remove(0);
                        }))))
                .isInstanceOf(HttpClientException.class)
                .hasMessageContaining("an earlier attempt was sent")
                .hasCause(last);
        assertThatThrownBy(this::charge).isInstanceOf(OutcomeUnknownException.class);
    }

    /** Micronaut answers 404 by null, and an error by a response where an application wants that. */
    @Test
    void anErrorThatTheClientAnswersAsAValueHidesNoLostAttempt() {
        server.answer(lost(), plain(404));
        assertThatThrownBy(() -> psp.exchange(ORDER)).hasMessageContaining("an earlier attempt was sent");
        server.answer(lost(), plain(404));
        assertThatThrownBy(() -> psp.chargeMono(ORDER).block()).hasMessageContaining("an earlier attempt was sent");
        server.answer(lost(), plain(404));
        assertThatThrownBy(() -> psp.chargeStage(ORDER).toCompletableFuture().join())
                .hasMessageContaining("an earlier attempt was sent");
        server.answer(lost(), IN_USE, IN_USE, IN_USE);
        assertThatThrownBy(() -> psp.exchange(ORDER)).isInstanceOf(HttpClientResponseException.class);
        server.answer(plain(404));
        assertThat(psp.charge(ORDER)).isNull();
        assertThat(psp.exchange(ORDER).code()).isEqualTo(404);
    }

    /** It is the same call with the same key. */
    @Test
    void anotherSubscriptionRemembersTheLostAttemptOfTheFirst() {
        server.answer(lost(), lost(), lost(), lost(), problem(503, "store-unavailable", "no", "same-key"));
        assertThatThrownBy(() -> psp.chargeMono(ORDER).retry(1).block()).isInstanceOf(OutcomeUnknownException.class);
    }

    static Stream<Answer> ran() {
        return Stream.of(
                created(),
                new Answer(201, "application/json", "{", Map.of()),
                problem(409, "result-unavailable", "yes", "never"),
                problem(409, "of-a-later-version", "yes", "never"));
    }

    @ParameterizedTest
    @MethodSource("ran")
    void anotherSubscriptionRemembersWhatRanForTheFirst(Answer first) {
        server.answer(first, problem(503, "store-unavailable", "no", "same-key"));
        Mono<PspClient.Charge> checked = psp.chargeMono(ORDER)
                .flatMap(charge -> Mono.error(new IllegalStateException("not what was asked for")));
        assertThatThrownBy(() -> checked.retry(1).block()).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aSafeRequestThatWasAnsweredIsNoLostAttempt() {
        server.answer(created(), plain(404));
        Mono<String> unfinished = lowLevel.find().filter(found -> false);
        assertThatThrownBy(() -> unfinished.repeatWhenEmpty(empty -> empty).block())
                .isInstanceOf(HttpClientResponseException.class);
        assertThat(server.keys()).containsExactly("", "");
    }

    @Test
    void anAttemptWithAnotherKeyIsNotSent() {
        server.answer(lost());
        assertThatThrownBy(() -> psp.randomKey(ORDER))
                .hasMessageContaining("an earlier attempt was sent")
                .hasMessageContaining("now with another one");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void aRequestThatTookNoKeyIsNotSentAgain() {
        server.answer(lost());
        assertThatThrownBy(lowLevel::misspelt).isInstanceOf(HttpClientException.class);
        assertThat(server.seen()).hasSize(1);
        assertThat(server.keys()).containsExactly("");
    }

    /** The first system did what it was asked for, and its answer cannot be fetched. */
    @Test
    void aRedirectThatCannotBeFollowedIsNotTakenForACallThatWasNotSent() {
        server.answer(new Answer(303, "text/plain", "", Map.of("Location", "http://127.0.0.1:1/receipt")));
        Throwable failure = catchThrowable(() -> psp.once(ORDER));
        assertThat(failure).isInstanceOf(HttpClientException.class);
        assertThat(HttpClientClassifier.isUnsent(failure)).isFalse();
        server.answer(new Answer(303, "text/plain", "", Map.of("Location", "http:/receipt")));
        Throwable elsewhere = catchThrowable(() -> psp.once(ORDER));
        assertThat(elsewhere).hasCauseInstanceOf(NoHostException.class);
        assertThat(HttpClientClassifier.isUnsent(elsewhere)).isFalse();
        Answer receipt = new Answer(303, "text/plain", "", Map.of("Location", "/receipt"));
        for (int status : new int[] {401, 404, 429}) {
            server.answer(receipt, plain(status));
            assertThatThrownBy(() -> psp.once(ORDER)).hasMessageContaining("redirect that could not be followed");
        }
    }

    /** The second request is the first system's way to pass the work on, and is lost. */
    @Test
    void anAttemptThatWasLostBehindARedirectIsNotHiddenByOneThatIsRefusedBehindIt() {
        Answer on = new Answer(308, "text/plain", "", Map.of("Location", "/elsewhere"));
        server.answer(on, lost(), on, problem(503, "store-unavailable", "no", "same-key"));
        assertThatThrownBy(() -> psp.chargeOnce(ORDER, key)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aCancelledAttemptMayHaveRun() {
        RetryLoop loop = RecordingTimer.loop(0);
        loop.reactive(Mono::never).subscribe().dispose();
        NoHostException last = new NoHostException("no host");
        assertThatThrownBy(() -> loop.reactive(() -> Mono.error(last)).blockLast())
                .hasMessageContaining("an earlier attempt was sent")
                .hasCause(last);
    }

    /** What is known needs no second question. */
    @Test
    void aRefusalThatWasTheLastWordIsNotALostAttempt() {
        RetryLoop loop = RecordingTimer.loop(1);
        for (int status : new int[] {402, 429}) {
            HttpClientResponseException refused =
                    new HttpClientResponseException("no", HttpResponse.status(HttpStatus.valueOf(status)));
            assertThatThrownBy(() -> loop.reactive(() -> Mono.error(refused)).blockLast())
                    .isSameAs(refused);
        }
    }

    @Test
    void whereNoAttemptWasLostTheAnswerStays() {
        server.answer(plain(429), plain(429), plain(429), plain(429));
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(HttpClientResponseException.class);
    }
}
