package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.Refusal;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client is told of a chain that was refused within is true of the key that he sent. */
@MicronautTest
@Property(name = "test.nested-refusals", value = "true")
@Property(name = "idempotency.http.routes.chain-configured.path", value = "/chain/configured")
@Property(name = "idempotency.http.routes.chain-configured-release.path", value = "/chain/configured-release")
@Property(name = "idempotency.operations.chain-configured-release.on-failure", value = "RELEASE")
class NestedRefusalsTest {

    @Inject
    @Client("/chain")
    HttpClient client;

    @Inject
    NestedRefusalsController controller;

    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void free() {
        controller.inner.set(null);
    }

    static Stream<Arguments> combinations() {
        return Stream.of("remember", "release", "no-effect", "final", "take-over", "configured", "configured-release")
                .flatMap(outer -> Arrays.stream(Refusal.values()).map(inner -> Arguments.of(outer, inner)));
    }

    private HttpResponse<byte[]> send(String outer) {
        return new Wire(client).send(post("/" + outer + "?test=" + key, "").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void theAnswerAgreesWithTheRecord(String outer, Refusal inner) {
        controller.inner.set(inner);
        HttpResponse<byte[]> first = send(outer);
        assertThat(first.code()).isGreaterThanOrEqualTo(400);
        controller.inner.set(null);
        HttpResponse<byte[]> again = send(outer);
        if (text(first).contains("\"retry\":\"same-key\"") || first.header("Retry-After") != null) {
            assertThat(again.code()).as("%s, then %s", text(first), text(again)).isEqualTo(200);
        } else if (again.code() == 200) {
            assertThat(outer).as("runs again").isIn("release", "no-effect", "take-over", "configured-release");
        } else {
            for (HttpResponse<byte[]> told : List.of(first, again)) {
                assertThat(text(told)).doesNotContain("\"executed\":\"no\"", "\"retry\":\"same-key\"");
            }
            assertThat(again.header("Retry-After")).isNull();
            assertThat(controller.bodies).containsEntry(key, 1);
        }
    }
}
