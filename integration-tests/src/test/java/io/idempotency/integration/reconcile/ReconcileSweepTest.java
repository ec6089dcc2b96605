package io.idempotency.integration.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two nodes find abandoned runs without a new call, and never ask for one at the same time. */
@Tag("thorough")
class ReconcileSweepTest {

    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

    private final String key = UUID.randomUUID().toString();
    private final List<ApplicationContext> nodes = new ArrayList<>();

    /** How many nodes, where. */
    record Place(String name, int nodes, Map<String, Object> properties) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Place> places() {
        PostgresServer server = PostgresServer.shared();
        return Stream.of(
                new Place(
                        "memory", 1, Map.of("idempotency.store", "memory", "datasources.default.url", "jdbc:h2:mem:x")),
                new Place("H2", 2, jdbc("jdbc:h2:mem:sweep;DB_CLOSE_DELAY=-1", "sa", "")),
                new Place("PostgreSQL", 2, jdbc(server.url(), server.user(), server.password())),
                new Place("Redis", 2, redis()));
    }

    private static Map<String, Object> redis() {
        return Map.of(
                "idempotency.store",
                "redis",
                "redis.enabled",
                true,
                "redis.uri",
                RedisServer.shared().uri(),
                "idempotency.redis.key-prefix",
                "sweep-" + UUID.randomUUID() + ":",
                "datasources.default.url",
                "jdbc:h2:mem:x");
    }

    private static Map<String, Object> jdbc(String url, String user, String password) {
        return Map.of(
                "idempotency.store", "jdbc",
                "idempotency.jdbc.table", "t_" + UUID.randomUUID().toString().replace("-", ""),
                "datasources.default.url", url,
                "datasources.default.username", user,
                "datasources.default.password", password);
    }

    private void start(Place place) {
        Map<String, Object> properties = new HashMap<>(place.properties());
        properties.put("test.lost", true);
        properties.putIfAbsent("redis.enabled", false);
        properties.put("idempotency.encryption.key", KEY);
        properties.put("idempotency.reconcile.interval", "50ms");
        for (int i = 0; i < place.nodes(); i++) {
            nodes.add(ApplicationContext.run(properties, "test"));
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(ApplicationContext::close);
        LostPayments.PROVIDER.clear();
    }

    private LostPayments.Payments payments() {
        return nodes.get(0).getBean(LostPayments.Payments.class);
    }

    private List<Long> fences() {
        return all(search -> search.fences.stream());
    }

    private List<Answer> answers() {
        return all(search -> search.answers.stream());
    }

    private <T> List<T> all(Function<LostPayments.Search, Stream<T>> what) {
        return nodes.stream()
                .map(node -> node.getBean(LostPayments.Search.class))
                .flatMap(what)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("places")
    void anAbandonedRunIsRecordedAsDoneWithoutANewCall(Place place) throws Exception {
        start(place);
        assertThatThrownBy(() -> payments().pay(key, true)).isInstanceOf(TimeoutException.class);
        await().until(() -> answers().contains(Answer.DONE));
        assertThat(payments().pay(key, true)).isEqualTo("paid");
        assertThat(answers()).containsOnlyOnce(Answer.DONE);
        assertThat(trail("lost-payment")).singleElement().satisfies(entry -> {
            assertThat(entry.outcome()).isEqualTo(AuditEntry.Outcome.COMPLETED);
            assertThat(entry.actor()).isEqualTo("background reconciliation");
            assertThat(entry.reason()).contains("Search", "done");
            assertThat(fences()).contains(entry.fence());
        });
    }

    private List<AuditEntry> trail(String operation) {
        return records().find(operation, key, null).orElseThrow().audit();
    }

    private IdempotencyRecords records() {
        return nodes.get(0).getBean(IdempotencyRecords.class);
    }

    @ParameterizedTest
    @MethodSource("places")
    void argumentsThatWereKeptAreHandedOverUntilItIsKnownAndThenForgotten(Place place) throws Exception {
        start(place);
        LostPayments.Transfer transfer = new LostPayments.Transfer(key, "DE02", new BigDecimal("12.50"));
        LostPayments.Transfers transfers = nodes.get(0).getBean(LostPayments.Transfers.class);
        assertThatThrownBy(() -> transfers.send(transfer, Optional.of("rent"), "trace-1"))
                .isInstanceOf(TimeoutException.class);
        await().until(() -> !trail("lost-transfer").isEmpty());
        assertThat(transfers.send(transfer, Optional.of("rent"), "trace-2")).isEqualTo("sent to DE02");
        assertThat(asked())
                .hasSizeGreaterThan(2)
                .allSatisfy(arguments ->
                        assertThat(arguments).isEqualTo(Map.of("transfer", transfer, "note", Optional.of("rent"))));
        assertThat(records().find("lost-transfer", key, null).orElseThrow().record())
                .extracting(StoredRecord::arguments)
                .isNull();
        assertThat(trail("lost-transfer")).hasSize(1);
    }

    private List<Map<String, Object>> asked() {
        return nodes.stream()
                .flatMap(node -> node.getBean(LostPayments.Statements.class).asked.stream())
                .toList();
    }

    @Test
    void withoutAnEncryptionKeyAnOperationThatKeepsArgumentsStopsTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(
                        Map.of("test.lost", true, "redis.enabled", false, "idempotency.store", "memory"), "test"))
                .hasMessageContainingAll("lost-transfer", "storeArguments", "idempotency.encryption.key");
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsNotKnownIsAskedForAgainUnderAHigherFenceUntilItIs(Place place) throws Exception {
        start(place);
        assertThatThrownBy(() -> payments().pay(key, false)).isInstanceOf(TimeoutException.class);
        await().until(() -> fences().size() > 3);
        assertThat(fences()).as("no two nodes ask under one claim").doesNotHaveDuplicates();
        LostPayments.PROVIDER.clear();
        LostPayments.PROVIDER.put("calm", "");
        await().until(() -> answers().contains(Answer.ABSENT));
        assertThat(trail("lost-payment"))
                .last()
                .extracting(AuditEntry::outcome, AuditEntry::actor)
                .containsExactly(AuditEntry.Outcome.ABSENT, "background reconciliation");
        assertThat(payments().pay(key, false)).isEqualTo("second");
    }
}
