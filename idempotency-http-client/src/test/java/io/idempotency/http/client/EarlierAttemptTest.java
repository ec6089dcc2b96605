package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.lost;
import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.http.client.ScriptedServer.Answer;
import io.micronaut.context.annotation.Property;
import io.micronaut.discovery.exceptions.NoAvailableServiceException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import io.micronaut.http.client.exceptions.ReadTimeoutException;
import io.micronaut.json.JsonMapper;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt whose answer was lost leaves the outcome open, whatever the last attempt says of itself. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "idempotency.operations.released.programmatic", value = "true")
@Property(name = "idempotency.operations.released.on-failure", value = "RELEASE")
class EarlierAttemptTest extends PspApplication {

    @Inject
    IdempotencyExecutor executor;

    private final String key = UUID.randomUUID().toString();
    private final AtomicInteger bodies = new AtomicInteger();

    static Stream<Answer> last() {
        return Stream.of(
                plain(500),
                plain(429),
                plain(425),
                plain(401),
                plain(403),
                plain(404),
                plain(413),
                problem(503, "store-unavailable", "no", "same-key"),
                problem(503, "shutting-down", "no", "same-key"),
                problem(429, "too-many-records", "no", "same-key"),
                new Answer(409, "application/json", "{\"error\":{\"code\":\"idempotency_key_in_use\"}}", Map.of()));
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
        return executor.execute("released", key, null, String.class, () -> {
            bodies.incrementAndGet();
            return psp.charge(ORDER).id();
        });
    }

    static Stream<Exception> unsent() {
        return Stream.of(
                new NoHostException("no host"),
                new NoAvailableServiceException("psp"),
                new IllegalStateException("redirected, and nothing was sent there"));
    }

    @ParameterizedTest
    @MethodSource("unsent")
    void soItIsWhereTheLastAttemptSentNothing(Exception last) {
        RetryLoop loop = new RetryLoop(
                "psp",
                new RetryPolicy(new RemoteRefusals(JsonMapper.createDefault()), 1, Duration.ZERO, Duration.ZERO, 1, 0),
                new RecordingTimer());
        List<Exception> failures = new ArrayList<>(List.of(ReadTimeoutException.TIMEOUT_EXCEPTION, last));
        assertThatThrownBy(() -> loop.blocking(() -> {
                    throw failures.remove(0);
                }))
                .hasMessageContaining("an earlier attempt was sent")
                .hasCause(last);
    }

    @Test
    void whereNoAttemptWasLostTheAnswerStays() {
        server.answer(plain(429), plain(429), plain(429), plain(429));
        assertThatThrownBy(() -> psp.charge(ORDER)).isInstanceOf(HttpClientResponseException.class);
    }
}
