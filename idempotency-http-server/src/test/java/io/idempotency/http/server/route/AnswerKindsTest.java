package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers that are no {@code HttpResponse} with a value. */
@MicronautTest
@Property(name = "test.answer-kinds", value = "true")
@Property(name = "idempotency.http.routes.answer-kinds-streamed.path", value = "/answer-kinds/streamed")
class AnswerKindsTest {

    @Inject
    @Client("/answer-kinds")
    HttpClient client;

    @Inject
    Kinds kinds;

    private final String key = UUID.randomUUID().toString();

    @Controller("/answer-kinds")
    @Requires(property = "test.answer-kinds")
    static class Kinds {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/status/{code}")
        @IdempotentOperation("answer-kinds-status")
        HttpStatus status(@PathVariable int code) {
            bodies.incrementAndGet();
            return HttpStatus.valueOf(code);
        }

        @Post("/mono/{code}")
        @IdempotentOperation("answer-kinds-mono")
        Mono<HttpStatus> mono(@PathVariable int code) {
            return Mono.fromCallable(() -> {
                bodies.incrementAndGet();
                return HttpStatus.valueOf(code);
            });
        }

        @Post("/streamed")
        HttpResponse<?> streamed(@Body String body) {
            return HttpResponse.ok(Flux.concat(
                            Flux.defer(() -> Flux.just("charged " + bodies.incrementAndGet())),
                            Flux.error(new HttpStatusException(HttpStatus.TOO_MANY_REQUESTS, "429")))
                    .cast(String.class));
        }
    }

    @BeforeEach
    void nothingRan() {
        kinds.bodies.set(0);
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "\"a\"").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "mono"})
    void aStatusAloneThatSaysComeAgainFreesTheKey(String way) {
        assertThat(send("/" + way + "/429").header("Idempotency-Status")).contains("key=free");
        assertThat(send("/" + way + "/429").header("Idempotency-Status")).contains("key=free");
        assertThat(kinds.bodies).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "mono"})
    void aStatusAloneThatLeavesItOpenIsUnknown(String way) {
        send("/" + way + "/504");
        assertThat(Wire.text(send("/" + way + "/504"))).contains("outcome-unknown");
        assertThat(kinds.bodies).hasValue(1);
    }

    @Test
    void aStreamOfWhichAPartWasSentIsNotSaidToBeNothing() {
        try {
            send("/streamed");
        } catch (RuntimeException brokenOff) {
            assertThat(kinds.bodies).hasValue(1);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> Wire.text(send("/streamed")).contains("outcome-unknown"));
        assertThat(kinds.bodies).hasValue(1);
    }
}
