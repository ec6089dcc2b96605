package io.idempotency.integration.paused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever step a process is stopped at, at most one body runs, and everybody who is told an outcome is told the same. */
@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PausedStepsTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String UNKNOWN = "OutcomeUnknownException";
    private static final String NOT_RUN = "IdempotencyStoreUnavailableException";
    private static final String PAID = "paid";

    /** Whoever owns nothing may be told to come again: the answer to his claim was not read within a lease. */
    private static final String PAID_OR_NOT_RUN = PAID + "|" + NOT_RUN;

    private final Map<String, Nodes> places = new HashMap<>();
    private String key = "";

    /**
     * Two nodes on one store.
     *
     * @param stopped a process
     * @param other in this one
     */
    private record Nodes(PausedNode stopped, ApplicationContext other) implements AutoCloseable {
        PausedPayment payment() {
            return other.getBean(PausedPayment.class);
        }

        String pay(String key) {
            try {
                return payment().pay(key);
            } catch (Exception e) {
                return e.getClass().getSimpleName();
            }
        }

        Optional<StoredRecord> record(String key) {
            return other.getBean(IdempotencyRecords.class)
                    .find("paused-payment", key, null)
                    .flatMap(found -> Optional.ofNullable(found.record()));
        }

        int runs() throws Exception {
            stopped.order("runs");
            return Integer.parseInt(stopped.answer()) + payment().runs();
        }

        @Override
        public void close() {
            stopped.close();
            other.close();
        }
    }

    @BeforeEach
    void takeANewKey() {
        key = UUID.randomUUID().toString();
    }

    private Nodes at(String store) {
        return places.computeIfAbsent(store, PausedStepsTest::started);
    }

    private static Nodes started(String store) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("test.paused.payment", true);
        PostgresServer postgres = PostgresServer.shared();
        properties.put("datasources.default.url", postgres.url());
        properties.put("datasources.default.username", postgres.user());
        properties.put("datasources.default.password", postgres.password());
        properties.put("idempotency.store", store);
        properties.put("redis.enabled", store.equals("redis"));
        properties.put("redis.uri", RedisServer.shared().uri());
        properties.put("idempotency.shutdown-timeout", "60s");
        ApplicationContext other = ApplicationContext.run(properties, "test");
        properties.put("test.paused", true);
        try {
            return new Nodes(PausedNode.start(properties), other);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    void close() {
        places.values().forEach(Nodes::close);
    }

    static Stream<Arguments> steps() {
        return Stream.of("jdbc", "redis")
                .flatMap(store -> Stream.of(
                        Arguments.of(store, "BEFORE_CLAIM", PAID, PAID_OR_NOT_RUN, 1),
                        Arguments.of(store, "AFTER_CLAIM", UNKNOWN, NOT_RUN, 0),
                        Arguments.of(store, "BODY", UNKNOWN, PAID, 1),
                        Arguments.of(store, "BEFORE_RENEW", UNKNOWN, PAID, 1),
                        Arguments.of(store, "AFTER_RENEW", UNKNOWN, PAID, 1),
                        Arguments.of(store, "BEFORE_COMPLETE", UNKNOWN, PAID, 1),
                        Arguments.of(store, "AFTER_COMPLETE", PAID, PAID, 1)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("steps")
    void anOwnerThatIsStoppedAt(String store, String step, String meanwhile, String afterwards, int bodies)
            throws Exception {
        Nodes nodes = at(store);
        int before = nodes.runs();
        nodes.stopped().order("call " + key + " " + step);
        assertThat(nodes.stopped().answer()).isEqualTo("at " + step);
        nodes.stopped().stop();
        nodes.stopped().order("go");
        if (!step.equals("BEFORE_CLAIM")) {
            await().atMost(SOON)
                    .until(() -> nodes.record(key)
                            .filter(PausedStepsTest::leaseIsOver)
                            .isPresent());
        }
        assertThat(nodes.pay(key)).as("while it is stopped").isEqualTo(meanwhile);
        nodes.stopped().goOn();
        assertThat(nodes.stopped().answer()).as("when it goes on").matches(afterwards);
        assertThat(again(nodes)).as("for ever after, there").isEqualTo(bodies == 0 ? UNKNOWN : PAID);
        String last = bodies == 0 ? UNKNOWN : PAID;
        assertThat(nodes.pay(key)).as("for ever after").isEqualTo(last);
        assertThat(nodes.runs() - before).isEqualTo(bodies);
        assertThat(nodes.record(key).map(StoredRecord::state))
                .contains(bodies == 0 ? RecordState.IN_DOUBT : RecordState.COMPLETED);
    }

    /** The node that was stopped is called once more. */
    private String again(Nodes nodes) throws IOException {
        nodes.stopped().order("call " + key + " NONE");
        return nodes.stopped().answer();
    }

    private static boolean leaseIsOver(StoredRecord record) {
        return record.readAt().isAfter(record.leaseUntil());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aDuplicateThatIsStoppedWhileItWaitsGetsTheResult(String store) throws Exception {
        Nodes nodes = at(store);
        int before = nodes.runs();
        nodes.payment().hold();
        CompletableFuture<String> owner = CompletableFuture.supplyAsync(() -> nodes.pay(key));
        await().atMost(SOON).until(() -> nodes.record(key).isPresent());
        nodes.stopped().order("call " + key + " AFTER_DUPLICATE");
        assertThat(nodes.stopped().answer()).isEqualTo("at AFTER_DUPLICATE");
        nodes.stopped().stop();
        nodes.stopped().order("go");
        nodes.payment().end();
        assertThat(owner.join()).isEqualTo(PAID);
        await().atMost(SOON)
                .until(() ->
                        nodes.record(key).filter(PausedStepsTest::leaseIsOver).isPresent());
        nodes.stopped().goOn();
        assertThat(nodes.stopped().answer()).matches(PAID_OR_NOT_RUN);
        assertThat(again(nodes)).isEqualTo(PAID);
        assertThat(nodes.runs() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anOwnerThatIsStoppedWhileItsApplicationShutsDownRecordsItsResultAndEnds(String store) throws Exception {
        try (Nodes nodes = started(store)) {
            nodes.stopped().order("call " + key + " BODY");
            assertThat(nodes.stopped().answer()).isEqualTo("at BODY");
            nodes.stopped().order("close");
            assertThat(nodes.stopped().answer()).isEqualTo("closing");
            nodes.stopped().stop();
            nodes.stopped().order("go");
            await().atMost(SOON)
                    .until(() -> nodes.record(key)
                            .filter(PausedStepsTest::leaseIsOver)
                            .isPresent());
            assertThat(nodes.pay(key)).isEqualTo(UNKNOWN);
            nodes.stopped().goOn();
            assertThat(nodes.stopped().answer()).isEqualTo(PAID);
            assertThat(nodes.stopped().awaitEnd()).isZero();
            assertThat(nodes.pay(key)).isEqualTo(PAID);
            assertThat(nodes.payment().runs()).isZero();
        }
    }

    static Stream<String> stores() {
        return Stream.of("jdbc", "redis");
    }
}
