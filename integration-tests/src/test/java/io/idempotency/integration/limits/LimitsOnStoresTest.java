package io.idempotency.integration.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyException;
import io.idempotency.Refusal;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same limits, whatever keeps the records. */
@Tag("thorough")
class LimitsOnStoresTest {

    /** A store. */
    record Place(String store, Map<String, Object> properties) {
        @Override
        public String toString() {
            return store + (properties.containsKey("redis.enabled") ? properties.get("datasources.default.url") : "");
        }

        ApplicationContext start() {
            Map<String, Object> all = new HashMap<>(properties);
            all.put("test.limits", true);
            all.put("idempotency.store", store);
            all.put("idempotency.operations.limited-order.max-new-keys", 4);
            all.put("idempotency.operations.limited-order.max-new-keys-per-caller", 3);
            all.put("idempotency.operations.limited-later.max-new-keys", 2);
            all.put("idempotency.operations.limited-doubt.max-new-keys", 1);
            all.put("idempotency.limits.window", "1h");
            return ApplicationContext.run(all, "test");
        }

        int records(ApplicationContext context) {
            return context.getBean(IdempotencyStore.class, Qualifiers.byName(store))
                    .list(RecordState.COMPLETED, Duration.ZERO, 1000)
                    .size();
        }
    }

    static Stream<Place> places() {
        PostgresServer server = PostgresServer.shared();
        return Stream.of(
                new Place("memory", Map.of("redis.enabled", false, "datasources.default.url", "jdbc:h2:mem:nobody")),
                new Place("jdbc", jdbc("jdbc:h2:mem:limits;DB_CLOSE_DELAY=-1", "sa", "")),
                new Place("jdbc", jdbc(server.url(), server.user(), server.password())),
                new Place(
                        "redis",
                        Map.of(
                                "redis.uri",
                                RedisServer.shared().uri(),
                                "idempotency.redis.key-prefix",
                                UUID.randomUUID() + ":",
                                "idempotency.redis.required-durability",
                                "none",
                                "datasources.default.url",
                                "jdbc:h2:mem:nobody")));
    }

    private static Map<String, Object> jdbc(String url, String user, String password) {
        return Map.of(
                "idempotency.jdbc.table", "t_" + UUID.randomUUID().toString().replace("-", ""),
                "redis.enabled", false,
                "datasources.default.url", url,
                "datasources.default.username", user,
                "datasources.default.password", password);
    }

    @ParameterizedTest
    @MethodSource("places")
    void whoeverInventsKeysLeavesNoMoreRecordsThanTheLimit(Place place) {
        try (ApplicationContext context = place.start()) {
            Orders orders = context.getBean(Orders.class);
            Orders.Caller caller = context.getBean(Orders.Caller.class);
            caller.name.set("mallory");
            int refused = 0;
            for (int i = 0; i < 50; i++) {
                refused += refused(orders, "m" + i) ? 1 : 0;
            }
            assertThat(refused).isEqualTo(47);
            for (int i = 0; i < 3; i++) {
                assertThat(orders.order("m" + i)).isEqualTo(i + 1); // replayed
            }
            caller.name.set("alice");
            assertThat(orders.order("a1")).isEqualTo(4);
            assertThat(refused(orders, "a2")).isTrue();
            assertThat(orders.bodies).hasValue(4);
            assertThat(place.records(context)).isEqualTo(4);
        }
    }

    private static boolean refused(Orders orders, String key) {
        try {
            orders.order(key);
            return false;
        } catch (IdempotencyException e) {
            assertThat(e).hasMessageContaining("the body did not run");
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void anAsynchronousOperationHasItsLimitToo(Place place) {
        try (ApplicationContext context = place.start()) {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.later("k1").join()).isOne();
            assertThat(orders.later("k2").join()).isEqualTo(2);
            assertThatThrownBy(() -> orders.later("k3").join())
                    .cause()
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
            assertThat(orders.later("k2").join()).isEqualTo(2);
            assertThat(orders.bodies).hasValue(2);
        }
    }

    /** It has its record already. */
    @ParameterizedTest
    @MethodSource("places")
    void aRecordInDoubtIsTakenOverBeyondTheLimit(Place place) {
        try (ApplicationContext context = place.start()) {
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.doubtful("k")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> orders.doubtful("other"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
            assertThat(orders.doubtful("k")).isOne();
        }
    }
}
