package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A name that matches no header would make all callers one, without a word. */
class CallerNamesTest {

    private static EmbeddedServer server(String property, String names) {
        return ApplicationContext.run(
                EmbeddedServer.class,
                Map.of("test.shop", true, "idempotency.store", "memory", "idempotency.http." + property, names));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization, X-Client", "Authorization,X-Client "})
    void spacesInAListDoNotCount(String names) {
        String key = UUID.randomUUID().toString();
        try (EmbeddedServer server = server("caller-headers", names);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            for (String caller : new String[] {"one", "two"}) {
                HttpResponse<byte[]> answer = new Wire(client)
                        .send(post("/shop/pojo", "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}")
                                .header("Idempotency-Key", key)
                                .header("X-Client", caller));
                assertThat(answer.code()).isLessThan(300);
                assertThat(answer.header("Idempotent-Replayed")).as(caller).isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"caller-headers,Authorization;X-Client", "caller-cookies,SESSION;JSESSIONID"})
    void whatIsNoNameDoesNotStart(String property, String names) {
        assertThatThrownBy(() -> server(property, names))
                .hasStackTraceContaining(ConfigurationException.class.getName())
                .hasStackTraceContaining("idempotency.http." + property);
    }
}
