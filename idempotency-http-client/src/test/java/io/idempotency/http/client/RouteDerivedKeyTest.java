package io.idempotency.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Calls made inside a route that configuration protects. */
@MicronautTest
class RouteDerivedKeyTest extends PspApplication {

    @Inject
    @Client("/unaware")
    HttpClient client;

    @Override
    public Map<String, String> getProperties() {
        Map<String, String> properties = new HashMap<>(super.getProperties());
        properties.put("idempotency.http.routes.unaware-route.path", "/unaware/**");
        return properties;
    }

    private HttpResponse<?> send(String path) {
        try {
            return client.toBlocking()
                    .exchange(HttpRequest.POST(path, "{}")
                            .header("Idempotency-Key", UUID.randomUUID().toString()));
        } catch (HttpClientResponseException e) {
            return e.getResponse();
        }
    }

    @Test
    void twoIntentsNeverShareADerivedKey() {
        assertThat(send("/two-intents").code()).isEqualTo(500);
        assertThat(server.keys()).hasSize(1);
    }

    @Test
    void oneIntentHasOneKeyHoweverOftenItIsSent() {
        assertThat(send("/one-intent").code()).isEqualTo(200);
        assertThat(server.keys()).hasSize(2);
        assertThat(server.keys().stream().distinct()).hasSize(1);
    }

    /** Knows nothing of keys. */
    @Controller("/unaware")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Requires(property = "test.psp")
    static class Unaware {

        private final PspClient psp;

        Unaware(PspClient psp) {
            this.psp = psp;
        }

        @Post("/two-intents")
        String twoIntents() {
            psp.once(ORDER);
            psp.once(new PspClient.Order("o-2", BigDecimal.ONE));
            return "paid twice";
        }

        @Post("/one-intent")
        String oneIntent() {
            psp.once(ORDER);
            psp.once(new PspClient.Order(ORDER.id(), ORDER.amount()));
            return "paid";
        }
    }
}
