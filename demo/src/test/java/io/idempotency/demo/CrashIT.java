package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packaged demo, killed while it charges, and restarted on the same store. */
@Tag("thorough")
@Execution(ExecutionMode.CONCURRENT)
class CrashIT {

    private static final String LEASE = "idempotency.lease=2s";

    @TempDir
    Path folder;

    private final String key = UUID.randomUUID().toString();

    static Stream<Arguments> stores() {
        PostgresServer postgres = PostgresServer.shared();
        return Stream.of(
                Arguments.of("H2 file", new String[] {"datasources.default.url=jdbc:h2:file:./crash/payments"}),
                Arguments.of("PostgreSQL", new String[] {
                    "datasources.default.url=" + postgres.url(),
                    "datasources.default.username=" + postgres.user(),
                    "datasources.default.password=" + postgres.password()
                }),
                Arguments.of("Redis", new String[] {
                    "datasources.default.url=jdbc:h2:file:./crash/payments",
                    "idempotency.store=redis",
                    "redis.uri=" + RedisServer.shared().uri()
                }));
    }

    private DemoProcess start(RecordingProvider provider, String[] store) throws IOException {
        return DemoProcess.start(
                folder,
                Stream.concat(Stream.of(store), Stream.of(LEASE, "demo.provider.url=" + provider.url()))
                        .toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void aChargeThatWasCutOffByAKillIsNeverMadeAgain(String name, String[] store) throws Exception {
        try (RecordingProvider provider = new RecordingProvider()) {
            provider.answers = new CountDownLatch(1);
            try (DemoProcess demo = start(provider, store)) {
                CompletableFuture<HttpResponse<String>> cutOff = demo.shop()
                        .sendAsync(demo.shop().post("/payments", Shop.charge("o", "1"), "Idempotency-Key", key));
                provider.called.await();
                demo.kill();
                assertThat(cutOff.handle((answer, failure) -> failure).join()).isNotNull();
            }
            provider.answers.countDown();
            try (DemoProcess demo = start(provider, store)) {
                Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                    HttpResponse<String> retry = demo.shop().pay(key, "o", "1");
                    assertThat(retry.statusCode()).isEqualTo(409);
                    assertThat(retry.body()).contains("outcome-unknown");
                });
                assertThat(demo.shop().pay(key, "o", "2").statusCode()).isEqualTo(422);
            }
            assertThat(provider.charges).happenedOnce();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void anAnswerThatWasGivenSurvivesAKill(String name, String[] store) throws Exception {
        try (RecordingProvider provider = new RecordingProvider()) {
            HttpResponse<String> first;
            try (DemoProcess demo = start(provider, store)) {
                first = demo.shop().pay(key, "o", "1");
                demo.kill();
            }
            assertThat(first.statusCode()).isEqualTo(201);
            try (DemoProcess demo = start(provider, store)) {
                HttpResponse<String> retry = demo.shop().pay(key, "o", "1");
                assertThat(retry.body()).isEqualTo(first.body());
                assertThat(Shop.replayed(retry)).isTrue();
            }
            assertThat(provider.charges).happenedOnce();
        }
    }
}
