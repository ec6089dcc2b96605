package io.idempotency.integration.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.reconcile.ReconcileListener.Answer;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two nodes find abandoned runs without a new call, and never ask for one at the same time. */
class ReconcileSweepTest {

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
                new Place("PostgreSQL", 2, jdbc(server.url(), server.user(), server.password())));
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
        properties.put("redis.enabled", false);
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
        assertThat(payments().pay(key, false)).isEqualTo("second");
    }
}
