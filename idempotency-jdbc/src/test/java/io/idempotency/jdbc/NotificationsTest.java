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

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.micronaut.context.ApplicationContext;
import io.micronaut.jdbc.BasicJdbcConfiguration;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** PostgreSQL tells those who wait, and nobody else costs anything. */
class NotificationsTest {

    private final Place place = Place.postgres();
    private final AtomicInteger looks = new AtomicInteger();

    private Subscription listen(IdempotencyStore store) {
        return ((SettlementSignals) store).listen(id("key"), looks::incrementAndGet);
    }

    /** Connections that hear what becomes of this table's records. */
    private String listeners() {
        return place.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'idempotency " + place.table() + "'");
    }

    private String marked() {
        return place.ask("SELECT count(*) FROM " + place.table() + " WHERE waited_for");
    }

    @Test
    void aWaiterOfAnotherNodeHears() {
        try (ApplicationContext one = place.application();
                ApplicationContext other = place.application()) {
            Ownership owner = own(store(one), claim("key"));
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
            place.run("UPDATE " + place.table() + " SET waited_for = TRUE");
            await().until(() -> Calls.find(store, "key").isEmpty());
            own(store, claim("key"));
            assertThat(marked()).isEqualTo("0");
        }
    }

    @Test
    void aConnectionThatBreaksIsReplaced() {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            try (Subscription listening = listen(store)) {
                await().until(listening::live);
                int before = looks.get();
                place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idempotency "
                        + place.table() + "'");
                await("those who wait look when it breaks, and when it is back")
                        .until(() -> looks.get() >= before + 2 && listening.live());
            }
        }
    }

    @Test
    void switchedOffNobodyListens() {
        try (ApplicationContext application = place.application("idempotency.jdbc.notifications", false)) {
            try (Subscription listening = listen(store(application))) {
                own(store(application), claim("key"));
                get(store(application).claim(claim("key")));
                assertThat(listening.live()).isFalse();
                assertThat(marked()).isEqualTo("0");
                assertThat(listeners()).isEqualTo("0");
            }
        }
    }

    /** As behind a pooler in transaction mode, where LISTEN succeeds on a connection that somebody else gets. */
    @Test
    void aChannelThatDoesNotHearIsNotTrusted() {
        String other = Place.fresh();
        place.run("CREATE DATABASE " + other);
        String elsewhere = place.url().replaceFirst("/[^/?]+(\\?|$)", "/" + other + "$1");
        try (ApplicationContext application = place.application()) {
            Lender pooled = new PlaceLender(new Place(elsewhere, place.user(), place.password(), place.table()));
            assertThatThrownBy(() -> source(application, pooled).open()).hasMessageContaining("a pooler");
            assertThat(listeners()).isEqualTo("0");
        }
    }

    @Test
    void aWhileAfterTheLastWaiterTheConnectionIsClosed() {
        try (ApplicationContext application = place.application();
                SettledNotifications notifications = new SettledNotifications(
                        source(application, new PlaceLender(place)), Duration.ofMillis(100))) {
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

    private NotificationSource source(ApplicationContext application, Lender pooled) {
        UnpooledConnections unpooled =
                new UnpooledConnections("default", application.getBean(BasicJdbcConfiguration.class));
        return new PostgresNotifications(unpooled, pooled, place.table());
    }

    /** Connections of nobody's pool. */
    private record PlaceLender(Place place) implements Lender {
        @Override
        public <T> T lend(Work<T> work) throws SQLException {
            try (var connection = DriverManager.getConnection(place.url(), place.user(), place.password())) {
                return work.on(connection);
            }
        }
    }
}
