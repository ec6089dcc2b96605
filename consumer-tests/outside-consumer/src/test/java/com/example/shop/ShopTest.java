package com.example.shop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.BlockingHttpClient;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The application, whole, as its own developers test it. */
@MicronautTest(transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest implements TestPropertyProvider {

    @Override
    public Map<String, String> getProperties() {
        PostgresServer postgres = PostgresServer.shared();
        return Map.of(
                "datasources.default.url", postgres.url(),
                "datasources.default.username", postgres.user(),
                "datasources.default.password", postgres.password(),
                "redis.uri", RedisServer.shared().uri());
    }

    @Inject
    Reminders reminders;

    @Inject
    Spans spans;

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

    private String key;
    private BlockingHttpClient client;

    @BeforeEach
    void open() {
        key = UUID.randomUUID().toString();
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
    void bothStoresAreUsedSideBySide() {
        assertEquals(reminders.send(key), reminders.send(key));
        assertEquals(1, ledger.countByWhatAndReference("reminder", key));
        String health = client.retrieve("/health");
        assertTrue(health.contains("\"jdbc\":{\"actualDurability\":"), health);
        assertTrue(health.contains("\"redis\":{"), health);
    }

    @Test
    void prometheusShowsCallsAndStores() {
        order("ann", 5);
        reminders.send(key);
        // the stores are asked in the background once the application has started
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> client.retrieve("/prometheus").contains("idempotency_store_up{store=\"redis\"} 1.0"));
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> client.retrieve("/prometheus").contains("idempotency_records_in_doubt{store=\"jdbc\"} 0.0"));
        String page = client.retrieve("/prometheus");
        assertTrue(page.contains("operation=\"place-order\",outcome=\"executed\",store=\"jdbc\""), page);
        assertTrue(page.contains("operation=\"send-reminder\",outcome=\"executed\",store=\"redis\""), page);
    }

    @Test
    void aTraceShowsTheCallBelowItsRequest() {
        order("ann", 5);
        order("ann", 5);
        List<SpanData> ours = spans.ended.stream()
                .filter(span -> span.getName().equals("idempotent place-order"))
                .toList();
        assertTrue(ours.size() >= 2, spans.ended.toString());
        SpanData ran = ours.get(ours.size() - 2);
        SpanData replay = ours.get(ours.size() - 1);
        assertEquals(ran.getTraceId(), replay.getLinks().get(0).getSpanContext().getTraceId());
        ours.forEach(span -> assertTrue(span.getParentSpanContext().isValid(), span.toString()));
    }
}
