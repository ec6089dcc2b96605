package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two packaged demos share a store, and one is stopped (SIGSTOP) while it charges, for longer than its lease: as by a
 * long garbage collection, a paused container or a closed lid. Then it goes on.
 */
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class PausedOwnerIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TAKE_OVER = "idempotency.operations.charge-payment.on-abandoned=TAKE_OVER";

    @TempDir
    Path folder;

    private final String key = UUID.randomUUID().toString();

    /** The payments are in PostgreSQL in any case. */
    static Stream<Arguments> stores() {
        PostgresServer postgres = PostgresServer.shared();
        List<String> payments = List.of(
                "datasources.default.url=" + postgres.url(),
                "datasources.default.username=" + postgres.user(),
                "datasources.default.password=" + postgres.password());
        List<String> redis = new ArrayList<>(payments);
        redis.add("idempotency.store=redis");
        redis.add("redis.uri=" + RedisServer.shared().uri());
        return Stream.of(Arguments.of("PostgreSQL", payments), Arguments.of("Redis", redis));
    }

    private DemoProcess start(RecordingProvider provider, List<String> store, String... more) throws IOException {
        List<String> properties = new ArrayList<>(store);
        properties.add("idempotency.lease=2s");
        properties.add("demo.provider.url=" + provider.url());
        properties.addAll(List.of(more));
        return DemoProcess.start(Files.createTempDirectory(folder, "demo"), properties.toArray(String[]::new));
    }

    private CompletableFuture<HttpResponse<String>> pay(DemoProcess demo) {
        return demo.shop().sendAsync(demo.shop().post("/payments", Shop.charge("o", "1"), "Idempotency-Key", key));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void anOwnerThatWakesAndFindsItsClaimUntouchedRecordsItsResult(String name, List<String> store) throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                DemoProcess sleeper = start(provider, store);
                DemoProcess other = start(provider, store)) {
            provider.answers = new CountDownLatch(1);
            CompletableFuture<HttpResponse<String>> first = pay(sleeper);
            provider.called.await();
            sleeper.pause();
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(other.shop().pay(key, "o", "1").body()).contains("outcome-unknown"));

            provider.answers.countDown();
            sleeper.resume();
            HttpResponse<String> answer = first.join();
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(Shop.replayed(answer)).isFalse();
            for (DemoProcess each : List.of(sleeper, other)) {
                HttpResponse<String> duplicate = each.shop().pay(key, "o", "1");
                assertThat(duplicate.body()).isEqualTo(answer.body());
                assertThat(Shop.replayed(duplicate)).isTrue();
            }
            assertThat(provider.charges).happenedOnce();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void anOwnerThatWakesAfterItWasReplacedIsRefusedAndItsCallerGetsTheRecordedOutcome(String name, List<String> store)
            throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                DemoProcess sleeper = start(provider, store, TAKE_OVER);
                DemoProcess other = start(provider, store, TAKE_OVER)) {
            CountDownLatch held = new CountDownLatch(1);
            provider.answers = held;
            CompletableFuture<HttpResponse<String>> first = pay(sleeper);
            provider.called.await();
            provider.answers = new CountDownLatch(0);
            sleeper.pause();
            await().atMost(SOON).until(() -> other.shop().pay(key, "o", "1").statusCode() == 201);
            HttpResponse<String> recorded = other.shop().pay(key, "o", "1");
            assertThat(recorded.body()).contains("-2\"");

            held.countDown();
            sleeper.resume();
            HttpResponse<String> stale = first.join();
            assertThat(stale.statusCode()).isEqualTo(201);
            assertThat(stale.body()).isEqualTo(recorded.body());
            assertThat(Shop.replayed(stale)).isTrue();
            assertThat(sleeper.shop().pay(key, "o", "1").body()).isEqualTo(recorded.body());
            assertThat(provider.charges).happened(2);
            assertThat(provider.charges.keys()).hasSize(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void anOwnerThatWakesAfterItWasReconciledIsRefusedThoughItsBodyNowFails(String name, List<String> store)
            throws Exception {
        try (RecordingProvider provider = new RecordingProvider();
                DemoProcess sleeper = start(provider, store);
                DemoProcess other = start(provider, store)) {
            String payment = other.shop()
                    .pay(UUID.randomUUID().toString(), "o", "1")
                    .headers()
                    .firstValue("Location")
                    .orElseThrow();
            CountDownLatch held = new CountDownLatch(1);
            provider.answers = held;
            provider.called = new CountDownLatch(1);
            CompletableFuture<HttpResponse<String>> first = sleeper.shop().sendAsync(refund(sleeper, payment));
            provider.called.await();
            sleeper.pause();
            await().atMost(SOON)
                    .until(() -> other.shop().send(refund(other, payment)).statusCode() == 201);
            HttpResponse<String> recorded = other.shop().send(refund(other, payment));
            assertThat(recorded.body()).contains("REFUNDED");

            held.countDown();
            sleeper.resume();
            // its own books refuse what the reconciler has entered into them already
            HttpResponse<String> stale = first.join();
            assertThat(stale.statusCode()).isEqualTo(201);
            assertThat(stale.body()).isEqualTo(recorded.body());
            assertThat(Shop.replayed(stale)).isTrue();
            assertThat(provider.refunds).hasSize(1);
        }
    }

    private HttpRequest refund(DemoProcess demo, String payment) {
        return demo.shop().post(payment + "/refunds", "{\"amount\":1}", "Idempotency-Key", key);
    }
}
