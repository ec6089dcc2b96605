package io.idempotency.http.server.management;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.test.servers.FreePort;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.MalformedURLException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators come to a port of their own, also where the application lives below a path and its routes are everything. */
class OwnPortTest {

    private static final String PAID = "{\"id\":\"p-1\",\"amount\":12.50}";

    private final String key = UUID.randomUUID().toString();

    /** A server with two ports. */
    private static final class Ports implements AutoCloseable {
        private final EmbeddedServer server;
        private final Wire application;
        private final Wire management;

        Ports(Map<String, Object> more) throws MalformedURLException {
            int port = FreePort.next();
            Map<String, Object> properties = new HashMap<>(Map.of(
                    "test.paid",
                    true,
                    "idempotency.store",
                    "memory",
                    "idempotency.http.routes.all.path",
                    "/**",
                    "idempotency.http.routes.all.methods",
                    "POST,PUT,DELETE",
                    "endpoints.all.port",
                    port,
                    "endpoints.idempotency.sensitive",
                    false,
                    "micronaut.security.enabled",
                    false,
                    "micronaut.server.port",
                    -1));
            properties.putAll(more);
            server = ApplicationContext.run(EmbeddedServer.class, properties);
            ApplicationContext context = server.getApplicationContext();
            application = new Wire(context.createBean(HttpClient.class, server.getURL()));
            management = new Wire(context.createBean(
                    HttpClient.class, URI.create("http://localhost:" + port).toURL()));
        }

        @Override
        public void close() {
            application.client().close();
            management.client().close();
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/shop"})
    void operatorsSettleThereWithoutAKeyAndNobodyDoesSoAtTheApplicationsPort(String context) throws Exception {
        Map<String, Object> more = context.isEmpty() ? Map.of() : Map.of("micronaut.server.context-path", context);
        try (Ports ports = new Ports(more)) {
            HttpResponse<byte[]> lost =
                    ports.application.send(post(context + "/paid/pojo", PAID).header("Idempotency-Key", key));
            assertThat(lost.code()).as(text(lost)).isGreaterThanOrEqualTo(500);
            HttpResponse<byte[]> listed = ports.management.send(HttpRequest.GET(context + "/idempotency"));
            assertThat(listed.code()).isEqualTo(200);
            HttpResponse<byte[]> found = ports.management.send(
                    post(context + "/idempotency/find", "{\"operation\":\"pay-pojo\",\"key\":\"" + key + "\"}"));
            assertThat(found.code()).as(text(found)).isEqualTo(200);
            assertThat(ports.application
                            .send(HttpRequest.GET(context + "/idempotency"))
                            .code())
                    .isNotEqualTo(200);
            assertThat(ports.application
                            .send(post(context + "/idempotency/find", "{}").header("Idempotency-Key", "k"))
                            .code())
                    .isBetween(400, 499);
        }
    }

    @Test
    void anEndpointWhosePathIsWrittenOutIsProtectedAsItSays() throws Exception {
        try (Ports ports = new Ports(Map.of(
                "idempotency.http.routes.find.path", "/idempotency/find",
                "idempotency.http.routes.find.methods", "POST"))) {
            HttpResponse<byte[]> without = ports.management.send(post("/idempotency/find", "{}"));
            assertThat(without.code()).as(text(without)).isEqualTo(400);
            assertThat(text(without)).contains("key-missing");
        }
    }
}
