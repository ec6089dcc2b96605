package io.idempotency.integration.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers that wait for a call of another node, whose connections are few and may break. */
@Tag("thorough")
class WaitingNodesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(50);

    static Stream<Named<Supplier<Backend>>> backends() {
        return Stream.of(Named.of("Redis", RedisBackend::new), Named.of("PostgreSQL", PostgresBackend::new));
    }

    /** One connection in the pool, and nobody who waits keeps it. */
    private static ApplicationContext start(Backend backend) {
        Map<String, Object> properties = new HashMap<>(backend.properties());
        properties.put("datasources.default.maximum-pool-size", 1);
        properties.put("datasources.default.connection-timeout", 5_000);
        return ApplicationContext.run(properties, "test");
    }

    private static String paid(CompletableFuture<String> call) throws Exception {
        return call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void theResultArrivesAlsoWhenTheChannelBreaks(Supplier<Backend> supplier) throws Exception {
        try (Backend backend = supplier.get();
                ApplicationContext owner = start(backend);
                ApplicationContext node = start(backend)) {
            SlowPayment payment = owner.getBean(SlowPayment.class);
            SlowPayment elsewhere = node.getBean(SlowPayment.class);
            CompletableFuture<String> first = payment.pay("k");
            Awaitility.await("the first call runs").atMost(PATIENCE).until(() -> payment.runs() == 1);
            CompletableFuture<String> second = elsewhere.pay("k");
            Awaitility.await("the second listens").atMost(PATIENCE).until(() -> backend.waitedFor() == 1);

            backend.cutChannel();
            payment.finish("k", "paid");
            assertThat(paid(first)).isEqualTo("paid");
            assertThat(paid(second)).isEqualTo("paid");
            assertThat(elsewhere.runs()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void whoeverWaitsHoldsNoConnection(Supplier<Backend> supplier) throws Exception {
        try (Backend backend = supplier.get();
                ApplicationContext owner = start(backend);
                ApplicationContext node = start(backend)) {
            SlowPayment payment = owner.getBean(SlowPayment.class);
            SlowPayment elsewhere = node.getBean(SlowPayment.class);
            List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
            List<CompletableFuture<String>> running =
                    keys.stream().map(payment::pay).toList();
            Awaitility.await("all run").atMost(PATIENCE).until(() -> payment.runs() == keys.size());
            List<CompletableFuture<String>> waiting =
                    keys.stream().map(elsewhere::pay).toList();
            Awaitility.await("all listen").atMost(PATIENCE).until(() -> backend.waitedFor() == keys.size());

            elsewhere.finish("another", "paid at once");
            assertThat(paid(elsewhere.pay("another"))).isEqualTo("paid at once");
            keys.forEach(key -> payment.finish(key, "paid"));
            for (int i = 0; i < keys.size(); i++) {
                assertThat(paid(waiting.get(i))).isEqualTo("paid");
                assertThat(paid(running.get(i))).isEqualTo("paid");
            }
            assertThat(elsewhere.runs()).isOne();
        }
    }
}
