package io.idempotency.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.micronaut.runtime.server.EmbeddedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks measure what they say; how fast that is, no test asserts. */
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

    @Test
    void everySideOfTheFingerprintBenchmarkRuns() throws Exception {
        FingerprintBenchmark benchmark = new FingerprintBenchmark();
        benchmark.start();
        try {
            assertThat(benchmark.generated()).startsWith("1:").hasSize(66).isEqualTo(benchmark.generated());
            assertThat(benchmark.openType()).startsWith("1:").isEqualTo(benchmark.openType());
            assertThat(benchmark.jsonSha256()).hasSize(64);
            assertThat(benchmark.canonicalJsonSha256()).hasSize(64);
            assertThat(benchmark.jsonMd5()).hasSize(32);
            assertThat(benchmark.key()).isEqualTo("order-4711");
        } finally {
            benchmark.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "annotated", "configured"})
    void everySideOfTheRouteBenchmarkIsAnswered(String side) throws Exception {
        try (EmbeddedServer server = RouteServer.start(true);
                RouteLoad load = new RouteLoad(server.getPort(), 2)) {
            assertThat(load.requests(new RouteLoad.Side(side, "/noop/" + side, true), 1))
                    .isPositive();
            assertThat(load.requests(new RouteLoad.Side(side, "/noop/" + side, false), 1))
                    .isPositive();
        }
    }

    @Test
    void everySideOfTheRedisBenchmarkRuns() {
        assertThatCode(() -> RedisRatios.main(new String[] {"1", "20", "1,2", "1"}))
                .doesNotThrowAnyException();
        assertThatCode(() -> RedisListing.main(new String[] {"1000"})).doesNotThrowAnyException();
    }
}
