package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replay says which call's answer it is. */
@MicronautTest
@Property(name = "test.outcomes", value = "true")
@Property(name = "idempotency.http.routes.outcomes-configured.path", value = "/outcomes/configured/**")
class OriginalTest {

    @Inject
    @Client("/")
    HttpClient client;

    @Inject
    IdempotencyRecords records;

    private final String key = UUID.randomUUID().toString();

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post("/outcomes/" + path, "{\"amount\":1}").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @CsvSource({
        "outcomes-annotated, annotated/returned/201",
        "outcomes-annotated, annotated/returned/422",
        "outcomes-annotated, annotated/mapped/412",
        "outcomes-configured, configured/returned/201",
        "outcomes-configured, configured/mapped/500"
    })
    void aReplaySaysWhichCallItRepeatsAndUntilWhen(String operation, String path) {
        assertThat(send(path).header("Idempotency-Original")).isNull();
        StoredRecord record = records.find(operation, key, null).orElseThrow().record();

        assertThat(send(path).header("Idempotency-Original"))
                .isEqualTo(
                        "\"%s\";at=@%d;expires=@%d",
                        record.id().value().substring(0, 8),
                        record.claimedAt().getEpochSecond(),
                        record.expiresAt().getEpochSecond());
    }

    @Test
    void aRefusalRepeatsNothing() {
        send("annotated/returned/503");
        HttpResponse<byte[]> refused = send("annotated/returned/503");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.header("Idempotency-Original")).isNull();
    }

    @Test
    void aDeploymentMayKeepItToItself() {
        try (EmbeddedServer server = ApplicationContext.run(
                        EmbeddedServer.class, Map.of("test.outcomes", true, "idempotency.http.original", false));
                HttpClient there = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            HttpResponse<byte[]> last = null;
            for (int i = 0; i < 2; i++) {
                last = new Wire(there)
                        .send(post("/outcomes/annotated/returned/201", "{\"amount\":1}")
                                .header("Idempotency-Key", key));
            }
            assertThat(last.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(last.header("Idempotency-Original")).isNull();
        }
    }
}
