package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packaged demo, told to end (SIGTERM) while it charges, and started again on the same store. */
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class ShutdownIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final String key = UUID.randomUUID().toString();

    /** With no property it is as {@code mn:run} starts it: payments and keys in an H2 file. */
    static Stream<Arguments> stores() {
        PostgresServer postgres = PostgresServer.shared();
        return Stream.of(
                Arguments.of("H2 file", new String[] {}),
                Arguments.of("PostgreSQL", new String[] {
                    "datasources.default.url=" + postgres.url(),
                    "datasources.default.username=" + postgres.user(),
                    "datasources.default.password=" + postgres.password()
                }),
                Arguments.of("Redis", redis(RedisServer.shared().uri())));
    }

    private static String[] redis(String uri) {
        return new String[] {"idempotency.store=redis", "redis.uri=" + uri};
    }

    private DemoProcess start(RecordingProvider provider, String[] store, String... more) throws IOException {
        return DemoProcess.start(
                folder,
                Stream.of(store, more, new String[] {"demo.provider.url=" + provider.url()})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }

    private CompletableFuture<HttpResponse<String>> pay(Shop shop) {
        return shop.sendAsync(shop.post("/payments", Shop.charge("o", "1"), "Idempotency-Key", key));
    }

    /** Events need no provider, so whatever answers one at once either handles or refuses it. */
    private static HttpResponse<String> newEvent(Shop shop) {
        String event = "{\"id\":\"" + UUID.randomUUID() + "\",\"type\":\"t\",\"data\":{}}";
        return shop.send(shop.post("/events", event));
    }

    private static void assertReplay(Shop shop, String key, String body) {
        HttpResponse<String> retry = shop.pay(key, "o", "1");
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo(body);
        assertThat(Shop.replayed(retry)).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void aChargeUnderWayEndsIsAnsweredAndRecordedWhileNothingNewBegins(String name, String[] store) throws Exception {
        try (RecordingProvider provider = new RecordingProvider()) {
            provider.answers = new CountDownLatch(1);
            HttpResponse<String> first;
            try (DemoProcess demo = start(provider, store)) {
                Shop shop = demo.shop();
                CompletableFuture<HttpResponse<String>> running = pay(shop);
                provider.called.await();
                newEvent(shop); // opens a second connection, and keeps it
                demo.terminate();
                await().atMost(SOON).untilAsserted(() -> {
                    HttpResponse<String> refused = newEvent(shop);
                    assertThat(refused.statusCode()).isEqualTo(503);
                    assertThat(refused.body()).contains("shutting-down");
                    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                });
                HttpResponse<String> duplicate = shop.pay(key, "o", "1");
                assertThat(duplicate.statusCode()).isEqualTo(409);
                assertThat(duplicate.body()).contains("in-progress");

                provider.answers.countDown();
                first = running.join();
                demo.awaitEnd();
            }
            assertThat(first.statusCode()).isEqualTo(201);
            try (DemoProcess demo = start(provider, store)) {
                assertReplay(demo.shop(), key, first.body());
                assertThat(Shop.count(demo.shop().get("/payments"))).isGreaterThanOrEqualTo(1);
            }
            assertThat(provider.charges).happenedOnce();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void aChargeThatOutlastsTheLimitIsInDoubtAndNeverMadeAgain(String name, String[] store) throws Exception {
        try (RecordingProvider provider = new RecordingProvider()) {
            provider.answers = new CountDownLatch(1);
            String lease = "idempotency.lease=2s";
            try (DemoProcess demo = start(provider, store, lease, "idempotency.shutdown-timeout=100ms")) {
                CompletableFuture<HttpResponse<String>> cutOff = pay(demo.shop());
                provider.called.await();
                demo.terminate();
                demo.awaitEnd();
                assertThat(cutOff.handle((answer, failure) -> answer == null || answer.statusCode() >= 500)
                                .join())
                        .isTrue();
                assertThat(demo.log()).contains("with 1 idempotent operations still running");
            }
            provider.answers.countDown();
            try (DemoProcess demo = start(provider, store, lease)) {
                await().atMost(SOON).untilAsserted(() -> {
                    HttpResponse<String> retry = demo.shop().pay(key, "o", "1");
                    assertThat(retry.statusCode()).isEqualTo(409);
                    assertThat(retry.body()).contains("outcome-unknown");
                });
            }
            assertThat(provider.charges).happenedOnce();
        }
    }

    @Test
    void anOutcomeThatTheStoreCouldNotBeToldIsStillRecordedBeforeTheApplicationIsGone() throws Exception {
        URI redis = URI.create(RedisServer.shared().uri());
        try (RecordingProvider provider = new RecordingProvider();
                FaultProxy network = FaultProxy.to(redis.getHost(), redis.getPort())) {
            String[] store = redis("redis://127.0.0.1:" + network.port());
            provider.answers = new CountDownLatch(1);
            HttpResponse<String> first;
            try (DemoProcess demo = start(provider, store, "idempotency.shutdown-timeout=60s", "redis.timeout=1s")) {
                CompletableFuture<HttpResponse<String>> running = pay(demo.shop());
                provider.called.await();
                network.refuse();
                network.reset();
                provider.answers.countDown();
                first = running.join();
                assertThat(first.statusCode()).isEqualTo(201);
                assertThat(first.headers().firstValue("Idempotency-Status")).contains("executed;degraded");

                demo.terminate();
                await().atMost(SOON).until(() -> demo.log().contains("shutting down"));
                network.pass();
                demo.awaitEnd();
            }
            try (DemoProcess demo = start(provider, store)) {
                assertReplay(demo.shop(), key, first.body());
            }
            assertThat(provider.charges).happenedOnce();
        }
    }
}
