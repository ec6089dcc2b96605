package com.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.BlockingHttpClient;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application, whole, as its own developers test it. */
@MicronautTest(transactional = false)
class ShopTest {

    @Inject
    @Client("/")
    HttpClient http;

    @Inject
    Ledger ledger;

    @Inject
    OrderEvents events;

    @Inject
    OrderMessages messages;

    @Inject
    ReportJob job;

    private final String key = UUID.randomUUID().toString();
    private BlockingHttpClient client;

    @BeforeEach
    void open() {
        client = http.toBlocking();
    }

    private HttpResponse<Receipt> order(String user, int amount) {
        return client.exchange(
                HttpRequest.POST("/orders", new OrderRequest(key, amount))
                        .basicAuth(user, user)
                        .header("Idempotency-Key", key),
                Receipt.class);
    }

    @Test
    void aSecondPostIsAReplay() {
        Receipt first = order("ann", 5).body();
        HttpResponse<Receipt> second = order("ann", 5);
        assertEquals(first, second.body());
        assertEquals("true", second.header("Idempotent-Replayed"));
        assertEquals(1, ledger.countByWhatAndReference("order", key));
    }

    @Test
    void anotherPayloadIsRefusedAndSoIsACallerWithoutAPassword() {
        order("ann", 5);
        HttpClientResponseException reused = assertThrows(HttpClientResponseException.class, () -> order("ann", 6));
        assertEquals(HttpStatus.UNPROCESSABLE_ENTITY, reused.getStatus());
        HttpRequest<?> anonymous = HttpRequest.POST("/orders", new OrderRequest(key, 5)).header("Idempotency-Key", key);
        HttpClientResponseException refused =
                assertThrows(HttpClientResponseException.class, () -> client.exchange(anonymous));
        assertEquals(HttpStatus.UNAUTHORIZED, refused.getStatus());
    }

    @Test
    void twoUsersMayChooseTheSameKey() {
        assertNotEquals(order("ann", 5).body(), order("bob", 5).body());
        assertEquals(2, ledger.countByWhatAndReference("order", key));
    }

    @Test
    void messagesThatAreDeliveredTwiceAreHandledOnce() {
        for (int delivery = 0; delivery < 2; delivery++) {
            events.receive(new OrderRequest(key, 5));
            messages.receive(new OrderRequest(key, 5));
        }
        assertEquals(1, ledger.countByWhatAndReference("event", key));
        assertEquals(1, ledger.countByWhatAndReference("message", key));
    }

    @Test
    void aScheduledJobRunsOnce() throws InterruptedException {
        assertTrue(job.runs.await(60, TimeUnit.SECONDS));
        assertEquals(1, ledger.countByWhatAndReference("report", ReportJob.DAY.toString()));
    }

    @Test
    void prometheusCountsTheCallsAndTheApplicationIsHealthy() {
        order("ann", 5);
        String page = client.retrieve("/prometheus");
        assertTrue(page.contains("idempotency_calls_total"), page);
        assertTrue(client.retrieve("/health").contains("UP"));
    }
}
