package io.idempotency.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The benchmarks measure what they say; how fast that is, no test asserts. */
@Tag("thorough")
class BenchmarksRunTest {

    @Test
    void everySideOfTheInterceptionBenchmarkRuns() {
        InterceptionBenchmark benchmark = new InterceptionBenchmark();
        benchmark.start();
        try {
            assertThat(benchmark.replay()).isEqualTo(benchmark.replay());
            assertThat(benchmark.firstCall()).isNotEqualTo(benchmark.firstCall());
            assertThat(benchmark.replayOrder()).isEqualTo(benchmark.replayOrder());
            assertThat(benchmark.firstOrder()).isNotEqualTo(benchmark.firstOrder());
            assertThat(benchmark.plainCall()).isNotEqualTo(benchmark.plainCall());
        } finally {
            benchmark.stop();
        }
    }

    static Stream<String> protectedSides() {
        return Stream.of("annotated", "configured");
    }

    static Stream<String> sides() {
        return Stream.concat(Stream.of("plain"), protectedSides());
    }

    @ParameterizedTest
    @MethodSource("sides")
    void everySideOfTheRouteBenchmarkIsAnswered(String side) throws Exception {
        try (EmbeddedServer server = RouteServer.start(true);
                RouteLoad load = new RouteLoad(server.getPort(), 2)) {
            assertThat(load.requests(new RouteLoad.Side(side, "/noop/" + side, true), 1))
                    .isPositive();
            assertThat(load.requests(new RouteLoad.Side(side, "/noop/" + side, false), 1))
                    .isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("protectedSides")
    void everyProtectedSideReplays(String side) throws Exception {
        try (EmbeddedServer server = RouteServer.start(true)) {
            HttpRequest request = HttpRequest.newBuilder(server.getURI().resolve("/noop/" + side))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", "key-4711")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"orderId\":\"order-4711\",\"amount\":1250}"))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> again = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(first.body()).isEqualTo("{\"number\":1,\"orderId\":\"order-4711\"}");
            assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(again.headers().firstValue("Content-Type"))
                    .isEqualTo(first.headers().firstValue("Content-Type"));
        }
    }

    private static void measureALittle(Path directory, String... parts) throws Exception {
        Path page = directory.resolve("performance.md");
        if (!Files.exists(page)) {
            Files.writeString(page, """
                    # Before
                    <!-- written by io.idempotency.benchmarks.Performance: do not edit below -->
                    old
                    <!-- end of what is written -->
                    After
                    """);
        }
        Performance.measure(Stream.concat(
                        Stream.of(parts),
                        Stream.of(
                                "rounds=1",
                                "millis=20",
                                "callers=1,2",
                                "results=" + directory.resolve("results"),
                                "page=" + page))
                .toArray(String[]::new));
    }

    /** Measured twice, the page has one table of it: a part's last run counts. */
    @Test
    void thePageIsWrittenFromWhatWasMeasured(@TempDir Path directory) throws Exception {
        Path page = directory.resolve("performance.md");
        for (int run = 0; run < 2; run++) {
            measureALittle(directory, "h2");
        }
        assertThat(page)
                .content()
                .startsWith("# Before")
                .endsWith("After\n")
                .doesNotContain("old")
                .containsOnlyOnce("### H2 in memory, platform threads\n")
                .containsPattern("\\| callers \\| floor, calls/s \\| p99 of first calls, ms \\| ours \\|")
                .containsPattern("\\| 2 \\| [\\d,.]+ / [\\d,.]+ \\| [\\d.]+ / [\\d.]+ \\| [\\d.]+ / [\\d.]+ \\|");
        assertThat(directory.resolve("results.json")).content().contains("\"benchmark\":\"h2\"", "firstRatio");
    }

    @Test
    void everySideOnRedisAndInATransactionRuns(@TempDir Path directory) throws Exception {
        measureALittle(directory, "redis", "replicas", "transaction");
        assertThat(directory.resolve("results.json"))
                .content()
                .contains("one replica acknowledges", "in the caller's transaction");
        assertThat(directory.resolve("performance.svg"))
                .content()
                .startsWith("<svg")
                .contains("first calls", "replays", "1 caller", "2 callers", "ours");
    }
}
