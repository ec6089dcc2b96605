package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Transactions of PostgreSQL that wait for each other. */
class QueuedTransactionsTest {

    private final Place place = Place.postgres();

    /** The lock time-out begins anew with each, so the command time-out ends the wait. */
    @Test
    void aClaimThatWaitsForOneTransactionAfterTheOtherIsToldThatTheKeyIsLocked() throws Exception {
        try (ApplicationContext application = place.application("idempotency.jdbc.command-timeout", "1s")) {
            IdempotencyStore store = store(application);
            CompletableFuture<Throwable> waiting;
            try (Connection first = claimed("key");
                    Connection second = DriverManager.getConnection(place.url(), place.user(), place.password())) {
                second.setAutoCommit(false);
                CompletableFuture<Void> next = CompletableFuture.runAsync(() -> Place.run(second, insert("key")));
                await().until(() -> waiting() == 1);
                waiting = CompletableFuture.supplyAsync(() -> catchThrowable(
                        () -> inTransaction(store, Duration.ofMillis(2500), view -> view.claim(claim("key")))));
                await().until(() -> waiting() == 2);
                await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
                first.rollback();
                next.join();
                assertThat(waiting.join()).isInstanceOf(KeyLockedException.class);
            }
        }
    }

    private Connection claimed(String key) throws Exception {
        Connection connection = DriverManager.getConnection(place.url(), place.user(), place.password());
        connection.setAutoCommit(false);
        Place.run(connection, insert(key));
        return connection;
    }

    private String insert(String key) {
        return "INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                + " claimed_at_ms, lease_until_ms, format_version) VALUES ('"
                + Calls.id(key).value() + "', 'x', 'x', 'IN_PROGRESS', 'x', 1, 1, 1, 1, 1)";
    }

    private int waiting() {
        return Integer.parseInt(
                place.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                        + place.table() + "%'"));
    }

    private static <T> T inTransaction(IdempotencyStore store, Duration wait, TransactionalStore.Work<T> work) {
        try {
            return store.transactional().orElseThrow().inTransaction(wait, work);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
