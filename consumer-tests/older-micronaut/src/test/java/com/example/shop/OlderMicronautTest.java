package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrderController.OrderRequest;
import com.example.shop.OrderController.Receipt;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
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
}
