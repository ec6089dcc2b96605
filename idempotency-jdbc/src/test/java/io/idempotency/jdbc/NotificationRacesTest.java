package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.id;
import static io.idempotency.jdbc.Calls.own;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A settlement and the claim of somebody who waits meet in the same row: neither is lost, whoever is first. */
class NotificationRacesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Place place = Place.postgres();
    private final AtomicInteger looks = new AtomicInteger();
    private ApplicationContext application;
    private JdbcIdempotencyStore store;
    private Subscription listening;
    private Ownership owner;

    @BeforeEach
    void start() {
        application = place.application();
        store = application.getBean(JdbcIdempotencyStore.class);
        listening = store.signals().orElseThrow().listen(id("key"), looks::incrementAndGet);
        await().atMost(PATIENCE).until(listening::live);
        owner = own(store, claim("key"));
        own(store, claim("of others, who wait"));
        place.run("UPDATE " + place.table() + " SET waited_for = id <> '"
                + id("key").value() + "'");
    }

    @AfterEach
    void stop() {
        listening.close();
        application.close();
    }

    private void makeMostReplays() {
        get(store.complete(own(store, claim("done")), RESULT, RETENTION));
        for (int i = 0; i < 128; i++) {
            get(store.claim(claim("done")));
        }
    }

    private void awaitSomebodyHeldUp() {
        await("a statement waits for the row")
                .atMost(PATIENCE)
                .until(() -> place.ask(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                                        + place.table() + "%'")
                        .equals("1"));
    }

    /** The claim's snapshot shows a record in progress, which nobody will tell of: it must look again, whatever it asks first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimThatMeetsASettlementNotYetCommittedIsAnsweredWithIt(boolean mostAreReplays) throws Exception {
        if (mostAreReplays) {
            makeMostReplays();
        }
        CompletableFuture<ClaimResult> claimed = store.inTransaction(PATIENCE, view -> {
            get(view.complete(owner, RESULT, RETENTION));
            CompletableFuture<ClaimResult> claiming =
                    CompletableFuture.supplyAsync(() -> get(store.claim(claim("key"))));
            awaitSomebodyHeldUp();
            return claiming;
        });
        assertThat(claimed.join())
                .isInstanceOfSatisfying(
                        ClaimResult.Duplicate.class,
                        duplicate -> assertThat(duplicate.record().state()).isEqualTo(RecordState.COMPLETED));
    }

    /** It stays in the table, in progress as before, and nobody would tell of it. */
    @Test
    void aClaimThatMeetsAReleaseNotYetCommittedIsGranted() throws Exception {
        makeMostReplays();
        CompletableFuture<ClaimResult> claimed = store.inTransaction(PATIENCE, view -> {
            get(view.release(owner));
            CompletableFuture<ClaimResult> claiming =
                    CompletableFuture.supplyAsync(() -> get(store.claim(claim("key"))));
            awaitSomebodyHeldUp();
            return claiming;
        });
        assertThat(claimed.join()).isInstanceOf(ClaimResult.Acquired.class);
    }

    @Test
    void aSettlementThatMeetsAMarkNotYetCommittedTells() throws Exception {
        int before = looks.get();
        CompletableFuture<Settled> settled;
        try (Connection node = DriverManager.getConnection(place.url(), place.user(), place.password())) {
            node.setAutoCommit(false);
            Place.run(node, "UPDATE " + place.table() + " SET waited_for = TRUE");
            settled = CompletableFuture.supplyAsync(() -> get(store.complete(owner, RESULT, RETENTION)));
            awaitSomebodyHeldUp();
            node.commit();
        }
        assertThat(settled.join()).isInstanceOf(Settled.Applied.class);
        await().atMost(PATIENCE).until(() -> looks.get() > before);
    }
}
