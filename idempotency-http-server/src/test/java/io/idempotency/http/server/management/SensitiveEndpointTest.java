package io.idempotency.http.server.management;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller who may settle records may make a payment unpaid: none may unless the application says which. */
class SensitiveEndpointTest {

    private static final String RECORD = "/idempotency/" + "0".repeat(64);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndpointIsSensitiveUnlessConfiguredOtherwise(boolean security) {
        try (EmbeddedServer server = ApplicationContext.run(
                        EmbeddedServer.class,
                        Map.of(
                                "idempotency.store",
                                "memory",
                                "idempotency.management.ui",
                                true,
                                "micronaut.security.enabled",
                                security,
                                "micronaut.server.port",
                                -1));
                HttpClient http = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            List<MutableHttpRequest<?>> requests = List.of(
                    HttpRequest.GET("/idempotency"),
                    HttpRequest.GET(RECORD),
                    HttpRequest.GET("/idempotency/ui"),
                    HttpRequest.GET("/idempotency/ui.js"),
                    post("/idempotency/find", "{\"operation\":\"o\",\"key\":\"k\"}"),
                    post(RECORD, "{\"fence\":1,\"outcome\":\"absent\",\"actor\":\"a\",\"reason\":\"r\"}"),
                    post(RECORD + "/erase", "{\"actor\":\"a\",\"reason\":\"r\"}"));
            assertThat(requests)
                    .allSatisfy(
                            request -> assertThat(new Wire(http).send(request).code())
                                    .as(request.toString())
                                    .isEqualTo(401));
        }
    }
}
