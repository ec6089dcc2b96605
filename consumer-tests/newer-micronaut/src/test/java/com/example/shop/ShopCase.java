package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderController.OrderRequest;
import com.example.shop.OrderController.Receipt;
import io.idempotency.IdempotencyKeyReusedException;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the application does with each store. */
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShopCase implements TestPropertyProvider {

    private final String key = UUID.randomUUID().toString();

    @Inject
    @Client("/")
    HttpClient http;

    @Inject
    OrderClient client;

    @Inject
    Payments payments;

    private HttpResponse<Receipt> post(String path, String name, Object body) {
        return http.toBlocking()
                .exchange(HttpRequest.POST(path, body).header("Idempotency-Key", key + name), Receipt.class);
    }

    private HttpResponse<Receipt> order(String name, int amount) {
        return post("/orders", name, new OrderRequest("book", amount));
    }

    @Test
    void itIsTheNewerVersion() {
        assertTrue(VersionUtils.MICRONAUT_VERSION.startsWith("5."), VersionUtils.MICRONAUT_VERSION);
    }

    @Test
    void aSecondPostIsAReplayAndAnotherPayloadIsRefused() {
        Receipt first = order("order", 5).body();
        HttpResponse<Receipt> second = order("order", 5);
        assertEquals(first, second.body());
        assertEquals("true", second.header("Idempotent-Replayed"));
        HttpClientResponseException reused =
                assertThrows(HttpClientResponseException.class, () -> order("order", 6));
        assertEquals(HttpStatus.UNPROCESSABLE_ENTITY, reused.getStatus());
        assertTrue(reused.getResponse().getBody(String.class).orElseThrow().contains("/problems/idempotency"));
    }

    @Test
    void aRouteThatTheConfigurationNamesIsReplayedAsWell() {
        Receipt first = post("/orders/book/cancellation", "cancel", "").body();
        HttpResponse<Receipt> second = post("/orders/book/cancellation", "cancel", "");
        assertEquals(first, second.body());
        assertEquals("true", second.header("Idempotent-Replayed"));
    }

    @Test
    void aClientSendsItsKeys() {
        OrderRequest request = new OrderRequest("pen", 1);
        assertEquals(client.place(request, key + "client"), client.place(request, key + "client"));
        assertNotEquals(client.place(request), client.place(request));
    }

    @Test
    void aMethodRunsOnceWhateverItReturns() {
        int charged = payments.charge(key, 3);
        assertEquals(charged, payments.charge(key, 3));
        assertThrows(IdempotencyKeyReusedException.class, () -> payments.charge(key, 4));
        int later = payments.chargeLater(key, 3).toCompletableFuture().join();
        assertEquals(later, payments.chargeLater(key, 3).toCompletableFuture().join());
        int reactively = payments.chargeReactively(key, 3).block();
        assertEquals(reactively, payments.chargeReactively(key, 3).block());
    }
}
