package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.FaultyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a load balancer and an operator see of the stores. */
class IdempotencyHealthTest {

    /** A store that can be broken. */
    @Factory
    @Requires(property = "test.health")
    static class Stores {
        @Singleton
        @Named("breakable")
        IdempotencyStore breakable() {
            return new FaultyStore(new MemoryIdempotencyStore(InstantSource.system()));
        }
    }

    private static Map<String, Object> properties(String... more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "test.paid", true,
                "test.health", true,
                "idempotency.store", "breakable",
                "micronaut.security.enabled", false,
                "endpoints.health.details-visible", "ANONYMOUS"));
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return properties;
    }

    private interface Check {
        void with(EmbeddedServer server, HttpClient http);
    }

    private static void running(Map<String, Object> properties, Check check) {
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties);
                HttpClient http = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            check.with(server, http);
        }
    }

    private static HttpResponse<byte[]> health(HttpClient http) {
        return new Wire(http).send(HttpRequest.GET("/health"));
    }

    @Test
    void aStoreThatCannotBeReachedIsDownAndComesBack() {
        running(properties(), (server, http) -> {
            FaultyStore store = (FaultyStore)
                    server.getApplicationContext().getBean(IdempotencyStore.class, Qualifiers.byName("breakable"));
            assertThat(Wire.text(health(http))).contains("\"idempotency\":{\"name\"");
            assertThat(health(http).code()).isEqualTo(200);
            store.refuse(FaultyStore.Call.FIND);
            assertThat(health(http).code()).isEqualTo(503);
            assertThat(Wire.text(health(http))).contains("\"problem\"");
            store.mend();
            assertThat(health(http).code()).isEqualTo(200);
        });
    }

    @Test
    void aStoreThatNoOperationUsesIsNotAskedWhateverAnOperatorLooksFor() {
        Map<String, Object> properties = properties("endpoints.idempotency.sensitive", "false");
        properties.remove("test.paid");
        running(properties, (server, http) -> {
            FaultyStore store = (FaultyStore)
                    server.getApplicationContext().getBean(IdempotencyStore.class, Qualifiers.byName("breakable"));
            assertThat(new Wire(http).send(HttpRequest.GET("/idempotency")).code())
                    .isEqualTo(200);
            store.refuse(FaultyStore.Call.FIND);
            assertThat(health(http).code()).isEqualTo(200);
            assertThat(Wire.text(health(http)))
                    .contains("\"idempotency\":{\"name\"")
                    .doesNotContain("breakable");
        });
    }

    @Test
    void whatIsUnprotectedIsSaid() {
        running(
                properties("idempotency.enabled", "false"),
                (server, http) -> assertThat(Wire.text(health(http))).contains("idempotency.enabled is false"));
        running(
                properties("idempotency.operations.pay-pojo.key-required", "false"),
                (server, http) -> assertThat(Wire.text(health(http))).contains("calls without a key of pay-pojo"));
    }

    @Test
    void itCanBeSwitchedOff() {
        running(
                properties("endpoints.health.idempotency.enabled", "false"),
                (server, http) -> assertThat(Wire.text(health(http))).doesNotContain("\"idempotency\""));
    }
}
