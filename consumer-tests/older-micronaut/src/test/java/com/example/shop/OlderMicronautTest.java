package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderController.OrderRequest;
import com.example.shop.OrderController.Receipt;
import io.idempotency.ApplicationShuttingDownException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Compiled with the older version's processors, and run with its runtime. */
@MicronautTest
class OlderMicronautTest {

    @Inject
    @Client("/")
    HttpClient http;

    private HttpResponse<Receipt> order(String key, int amount) {
        return http.toBlocking()
                .exchange(
                        HttpRequest.POST("/orders", new OrderRequest(key, amount)).header("Idempotency-Key", key),
                        Receipt.class);
    }

    @Test
    void itIsTheOlderVersion() {
        assertTrue(VersionUtils.MICRONAUT_VERSION.startsWith("4.8."), VersionUtils.MICRONAUT_VERSION);
    }

    @Test
    void aSecondPostIsAReplayAndAnotherPayloadIsRefused() {
        Receipt first = order("k1", 5).body();
        HttpResponse<Receipt> second = order("k1", 5);
        assertEquals(first, second.body());
        assertEquals("true", second.header("Idempotent-Replayed"));
        HttpClientResponseException reused = assertThrows(HttpClientResponseException.class, () -> order("k1", 6));
        assertEquals(HttpStatus.UNPROCESSABLE_ENTITY, reused.getStatus());
    }

    @Test
    void theApplicationIsHealthy() {
        assertTrue(http.toBlocking().retrieve("/health").contains("UP"));
    }

    /** Its client copies all headers, and marks such a request in no way. */
    @Test
    void aRedirectToAnotherSystemCarriesNeitherKeyNorBody() {
        for (String path : List.of("/moved/307", "/moved/308")) {
            HttpRequest<?> request =
                    HttpRequest.POST(path, new OrderRequest("k", 1)).header("Idempotency-Key", "k");
            Exception refused =
                    assertThrows(Exception.class, () -> http.toBlocking().exchange(request, String.class));
            assertTrue(String.valueOf(refused.getMessage()).contains("was redirected to"), refused.toString());
        }
        assertEquals(
                "GET without a key",
                http.toBlocking()
                        .retrieve(HttpRequest.POST("/moved/303", new OrderRequest("k", 1))
                                .header("Idempotency-Key", "k")));
    }

    /** Sends requests on to an address that is, to a client, another system's. */
    @Controller("/moved")
    static class Moved {

        private final EmbeddedServer server;

        Moved(EmbeddedServer server) {
            this.server = server;
        }

        @Post("/{status}")
        HttpResponse<?> moved(int status) {
            return HttpResponse.status(HttpStatus.valueOf(status))
                    .header("Location", "http://127.0.0.1:" + server.getPort() + "/moved/here");
        }

        @Get("/here")
        String here(HttpHeaders headers) {
            return "GET with" + (headers.contains("Idempotency-Key") ? " " : "out ") + "a key";
        }
    }

    /** Micronaut 4.8 has no graceful shutdown of its own. */
    @Test
    void anApplicationThatStopsLetsItsBodiesEnd() throws Exception {
        ApplicationContext stopping = ApplicationContext.run(Map.of("datasources.default.url", "jdbc:h2:mem:stopping"));
        SlowOrders orders = stopping.getBean(SlowOrders.class);
        CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> orders.place("k"));
        orders.begun.await();
        Thread end = new Thread(stopping::close);
        end.start();
        while (accepts(orders)) {
            Thread.onSpinWait();
        }
        orders.mayEnd.countDown();
        assertEquals("placed k", running.get(1, TimeUnit.MINUTES));
        end.join();
    }

    private static boolean accepts(SlowOrders orders) {
        try {
            orders.note(UUID.randomUUID().toString());
            return true;
        } catch (ApplicationShuttingDownException e) {
            return false;
        }
    }
}
