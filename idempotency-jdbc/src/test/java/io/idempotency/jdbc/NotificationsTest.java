package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.id;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.connection.SettledNotifications;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** PostgreSQL tells those who wait, and nobody else costs anything. */
class NotificationsTest {

    private final Place place = Place.postgres();
    private final AtomicInteger looks = new AtomicInteger();

    private Subscription listen(IdempotencyStore store) {
        return store.signals().orElseThrow().listen(id("key"), looks::incrementAndGet);
    }

    /** Connections that hear what becomes of this table's records. */
    private String listeners() {
        return place.ask(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'idempotency " + place.table() + "'");
    }

    private String marked() {
        return place.ask("SELECT count(*) FROM " + place.table() + " WHERE waited_for");
    }

    @Test
    void aWaiterOfAnotherNodeHears() {
        try (ApplicationContext one = place.application();
                ApplicationContext other = place.application()) {
            Ownership owner = own(store(one), claim("key"));
            own(store(one), claim("of nobody who waits"));
            try (Subscription listening = listen(store(other))) {
                await().until(listening::live);
                get(store(other).claim(claim("key")));
                assertThat(marked()).isEqualTo("1");
                int before = looks.get();
                get(store(one).complete(owner, RESULT, RETENTION));
                await().until(() -> looks.get() > before);
            }
        }
    }

    @Test
    void withoutWaitersThereIsNeitherAConnectionNorAMark() {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership owner = own(store, claim("key"));
            get(store.claim(claim("key")));
            assertThat(marked()).isEqualTo("0");
            get(store.complete(owner, RESULT, RETENTION));
            assertThat(listeners()).isEqualTo("0");
        }
    }

    @Test
    void theMarkOfAnExpiredRecordIsNotInherited() {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            own(store, claim("key", Calls.SHORT, Calls.SHORT, false));
            place.run("UPDATE " + place.table() + " SET waited_for = TRUE WHERE attempt > 0");
            await().until(() -> Calls.find(store, "key").isEmpty());
            own(store, claim("key"));
            assertThat(marked()).isEqualTo("0");
        }
    }

    @Test
    void switchedOffNobodyListens() {
        try (ApplicationContext application = place.application("idempotency.jdbc.notifications", false)) {
            own(store(application), claim("key"));
            get(store(application).claim(claim("key")));
            assertThat(store(application).signals()).isEmpty();
            assertThat(marked()).isEqualTo("0");
            assertThat(listeners()).isEqualTo("0");
        }
    }

    @Test
    void aTransactionTellsWhenItCommitsAndNothingWhenItRollsBack() throws Exception {
        try (ApplicationContext application = place.application()) {
            JdbcIdempotencyStore store = application.getBean(JdbcIdempotencyStore.class);
            Ownership owner = own(store, claim("key"));
            Ownership later = own(store, claim("later"));
            AtomicInteger laterLooks = new AtomicInteger();
            try (Subscription listening = listen(store);
                    Subscription other =
                            store.signals().orElseThrow().listen(id("later"), laterLooks::incrementAndGet)) {
                await("both hear, and have been told to look")
                        .until(() -> listening.live() && looks.get() > 0 && laterLooks.get() > 0);
                get(store.claim(claim("key")));
                get(store.claim(claim("later")));
                int before = looks.get();
                int beforeLater = laterLooks.get();
                assertThatThrownBy(() -> store.inTransaction(Duration.ofSeconds(5), view -> {
                            get(view.complete(owner, RESULT, RETENTION));
                            throw new IllegalStateException("rolled back");
                        }))
                        .hasMessageContaining("rolled back");
                get(store.complete(later, RESULT, RETENTION));
                await("notifications come in the order of commits").until(() -> laterLooks.get() > beforeLater);
                assertThat(looks).hasValue(before);

                store.inTransaction(Duration.ofSeconds(5), view -> get(view.complete(owner, RESULT, RETENTION)));
                await().until(() -> looks.get() > before);
            }
        }
    }

    @Test
    void allWhoWaitShareOneDaemonThreadAndOneConnection() {
        Set<Thread> before = threads();
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            get(store.release(own(store, claim("key"))));
            assertThat(threads()).isSubsetOf(before);
            try (Subscription one = listen(store);
                    Subscription two = listen(store)) {
                await().until(() -> one.live() && two.live());
                assertThat(listeners()).isEqualTo("1");
                assertThat(threads())
                        .filteredOn(thread -> !before.contains(thread))
                        .singleElement()
                        .matches(Thread::isDaemon);
            }
        }
        await("the end of the application ends both")
                .until(() -> before.containsAll(threads()) && listeners().equals("0"));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(SettledNotifications.THREAD))
                .collect(Collectors.toSet());
    }

    @Test
    void aWhileAfterTheLastWaiterTheConnectionIsClosed() {
        try (ApplicationContext application = place.application();
                SettledNotifications notifications =
                        Unpooled.notifications(application, place, place, Duration.ofMillis(100))) {
            try (Subscription listening = notifications.listen(id("key"), looks::incrementAndGet)) {
                await().until(listening::live);
                assertThat(listeners()).isEqualTo("1");
            }
            await().until(() -> listeners().equals("0"));
            try (Subscription again = notifications.listen(id("key"), looks::incrementAndGet)) {
                await().until(again::live);
            }
        }
    }
}
