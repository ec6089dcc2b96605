package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.MissingIdempotencyKeyException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Which requests need a key, for all routes at once and for one. */
class KeyModesTest {

    private static final String ITEM = "{\"name\":\"book\",\"price\":12.50}";

    private static void serve(Map<String, Object> properties, BiConsumer<ApplicationContext, Wire> test) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("test.shop", true);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(server.getApplicationContext(), new Wire(client));
        }
    }

    private static HttpResponse<byte[]> send(Wire wire, String path) {
        return wire.send(post(path, ITEM));
    }

    @Test
    void allRoutesCanTakeRequestsWithoutAKeyWhileCallsInsideTheApplicationStillNeedOne() {
        serve(Map.of("idempotency.http.key-required", false), (context, wire) -> {
            HttpResponse<byte[]> response = send(wire, "/shop/pojo");
            assertThat(response.code()).isEqualTo(201);
            assertThat(response.header("Idempotency-Status")).isEqualTo("ignored");
            ShopController.DeepService below = context.getBean(ShopController.DeepService.class);
            assertThatThrownBy(() -> below.sell("")).isInstanceOf(MissingIdempotencyKeyException.class);
        });
    }

    @Test
    void requestsCanNeedAKeyWhileCallsInsideTheApplicationDoNot() {
        serve(Map.of("idempotency.http.key-required", true, "idempotency.key-required", false), (context, wire) -> {
            assertThat(send(wire, "/shop/pojo").code()).isEqualTo(400);
            assertThat(context.getBean(ShopController.DeepService.class).sell(""))
                    .isPositive();
        });
    }

    @Test
    void theAnnotationAndTheOperationsOwnConfigurationComeFirst() {
        serve(
                Map.of("idempotency.http.key-required", true, "idempotency.operations.sell-pojo.key-required", false),
                (context, wire) -> {
                    assertThat(send(wire, "/shop/pojo").code()).isEqualTo(201);
                    assertThat(send(wire, "/shop/optional").code()).isEqualTo(200);
                    assertThat(send(wire, "/shop/text").code()).isEqualTo(400);
                });
    }

    @Test
    void aValueThatIsNeitherTrueNorFalseStopsTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("idempotency.http.key-required", "ture"))
                        .close())
                .hasStackTraceContaining("idempotency.http.key-required: 'ture'");
    }
}
