package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.id;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.idempotency.jdbc.connection.SettledNotifications;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.test.logs.LogLines;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of those who wait, and of everybody else, when PostgreSQL's notifications fail. */
@Tag("thorough")
class NotificationFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger looks = new AtomicInteger();

    private Subscription listen(IdempotencyStore store) {
        return store.signals().orElseThrow().listen(id("key"), looks::incrementAndGet);
    }

    private void assertHears(IdempotencyStore store) {
        Ownership owner = own(store, claim("key"));
        get(store.claim(claim("key")));
        int before = looks.get();
        get(store.complete(owner, RESULT, RETENTION));
        await().atMost(PATIENCE).until(() -> looks.get() > before);
    }

    @Test
    void aConnectionThatTheServerEndsIsReplaced() {
        Place place = Place.postgres();
        try (ApplicationContext application = place.application();
                Subscription listening = listen(store(application))) {
            await().atMost(PATIENCE).until(listening::live);
            int before = looks.get();
            place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idempotency "
                    + place.table() + "'");
            await("those who wait look when it breaks, and when it is back")
                    .atMost(PATIENCE)
                    .until(() -> looks.get() >= before + 2 && listening.live());
            assertHears(store(application));
        }
    }

    @Test
    void aServerThatRestartsIsHeardAgain() {
        try (PostgresServer server = PostgresServer.onHost();
                ApplicationContext application = Place.postgres(server).application();
                Subscription listening = listen(store(application))) {
            await().atMost(PATIENCE).until(listening::live);
            server.kill();
            await().atMost(PATIENCE).until(() -> !listening.live());
            server.restart();
            await().atMost(PATIENCE).until(listening::live);
            assertHears(store(application));
        }
    }

    /** As behind a pooler in transaction mode, where LISTEN succeeds on a connection that somebody else gets. */
    @Test
    void aChannelThatDoesNotHearIsNotTrusted() {
        Place place = Place.postgres();
        try (LogLines log = LogLines.of(SettledNotifications.class.getName());
                ApplicationContext application = place.application();
                SettledNotifications deaf =
                        Unpooled.notifications(application, place, database(place), Duration.ofMinutes(1));
                Subscription listening = deaf.listen(id("key"), looks::incrementAndGet)) {
            await().atMost(PATIENCE)
                    .until(() -> String.join("", log.messages(Level.WARN)).contains("a pooler"));
            assertThat(listening.live()).isFalse();
            await().until(() -> place.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'idempotency "
                            + place.table() + "'")
                    .equals("0"));
        }
    }

    @Test
    void whereNotifyingIsForbiddenTheRecordIsSettledAllTheSame() {
        Place own = database(Place.postgres());
        String role = Place.fresh();
        own.run("CREATE ROLE " + role + " LOGIN PASSWORD 'secret'");
        own.run("GRANT ALL ON SCHEMA public TO " + role);
        own.run("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC");
        try (ApplicationContext application = new Place(own.url(), role, "secret", own.table()).application()) {
            IdempotencyStore store = store(application);
            assertThat(get(store.complete(own(store, claim("key")), RESULT, RETENTION)))
                    .isInstanceOf(Settled.Applied.class);
            assertThat(get(store.doubt(own(store, claim("doubted")), "unknown", RETENTION)))
                    .isInstanceOf(Settled.Applied.class);
            assertThat(get(store.release(own(store, claim("another"))))).isInstanceOf(Settled.Applied.class);
        }
    }

    /** With another driver for PostgreSQL callers poll, and the application starts. */
    @Test
    void withoutPostgresqlsOwnDriverOnlyTheNotificationsAreMissing() throws Exception {
        URL[] everything = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(NotificationFaultsTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader without = new WithoutDriver(everything)) {
            assertThatCode(() -> Class.forName(SettledNotifications.class.getName(), true, without))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> Class.forName("org.postgresql.PGConnection", true, without))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    private static final class WithoutDriver extends URLClassLoader {
        WithoutDriver(URL[] everything) {
            super(everything, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.postgresql.")) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    /** A database of its own on the same server. */
    private static Place database(Place place) {
        String name = Place.fresh();
        place.run("CREATE DATABASE " + name);
        String url = place.url().replaceFirst("/[^/?]+(\\?|$)", "/" + name + "$1");
        return new Place(url, place.user(), place.password(), place.table());
    }
}
