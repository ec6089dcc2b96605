package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of routes, those of failures among them, are in no store as they were sent. */
@MicronautTest
@Property(name = "test.outcomes", value = "true")
@Property(name = "idempotency.http.routes.outcomes-configured.path", value = "/outcomes/configured*/**")
@Property(name = "idempotency.encryption.key", value = "c2VjcmV0IGtleSBvZiB0aGUgdGVzdCwgMzIgYnl0ZXM=")
@Property(name = "idempotency.encryption.required", value = "true")
@Property(name = "idempotency.compression.above", value = "100")
class SealedAnswersTest {

    @Inject
    @Client("/outcomes")
    HttpClient client;

    @Inject
    OutcomesController controller;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String key = UUID.randomUUID().toString();

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "{\"amount\":1}").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/returned/200",
                "/annotated/thrown/410",
                "/annotated/thrown-body/409",
                "/annotated-mono/mapped/412",
                "/configured/returned/200",
                "/configured/thrown/410"
            })
    void theyAreReplayedToTheByteAndHiddenFromTheStore(String path) {
        controller.bodies.set(0);
        HttpResponse<byte[]> first = send(path);
        HttpResponse<byte[]> replay = send(path);
        assertThat(first.code()).isEqualTo(Integer.parseInt(path.substring(path.length() - 3)));
        assertThat(replay.code()).isEqualTo(first.code());
        assertThat(text(replay)).isEqualTo(text(first)).isNotEmpty();
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(controller.bodies).hasValue(1);
        List<StoredRecord> records = store.list(RecordState.COMPLETED, Duration.ZERO, 100);
        assertThat(records)
                .isNotEmpty()
                .allSatisfy(record -> assertThat(new String(
                                ((StoredResult.Present) record.result()).bytes(), StandardCharsets.ISO_8859_1))
                        .doesNotContain(text(first), "application/"));
    }
}
