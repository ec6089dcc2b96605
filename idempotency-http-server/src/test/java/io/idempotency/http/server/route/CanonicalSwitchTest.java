package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that compares JSON by its content beside one that does not yet, as during a deployment. */
class CanonicalSwitchTest {

    private static final String JSON = "{\"a\":1,\"b\":2}";

    private final IdempotencyStore store = new MemoryIdempotencyStore();

    private HttpResponse<byte[]> send(boolean canonical, String key, String body) {
        ApplicationContext context = ApplicationContext.builder()
                .properties(Map.of(
                        "test.canonical",
                        true,
                        "idempotency.store",
                        "shared",
                        "idempotency.http.routes.canonical.path",
                        "/canonical/json",
                        "idempotency.http.routes.canonical.canonical-json",
                        canonical))
                .build();
        context.registerSingleton(IdempotencyStore.class, store, Qualifiers.byName("shared"));
        try (EmbeddedServer server =
                        context.start().getBean(EmbeddedServer.class).start();
                HttpClient client = context.createBean(HttpClient.class, server.getURL())) {
            return new Wire(client)
                    .send(post("/canonical/json", body)
                            .contentType("application/json")
                            .header("Idempotency-Key", key));
        }
    }

    @Test
    void aRetryAcrossItBeingSwitchedOnIsComparedByItsBytes() {
        assertThat(send(false, "on", JSON).code()).isEqualTo(200);
        assertThat(send(true, "on", JSON).header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(send(true, "on", "{\"b\":2,\"a\":1}").code()).isEqualTo(422);
    }

    @Test
    void aRetryAcrossItBeingSwitchedOffIsRefusedAndNothingRuns() {
        assertThat(send(true, "off", JSON).code()).isEqualTo(200);
        assertThat(send(false, "off", JSON).code()).isEqualTo(422);
    }
}
