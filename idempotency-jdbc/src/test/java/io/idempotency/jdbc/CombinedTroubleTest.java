package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each of those that one statement answers is told the truth, whatever goes wrong with it or with one of them. */
@Tag("thorough")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CombinedTroubleTest {

    private final Place place = Place.postgres();
    private final PiledUp callers = new PiledUp(place);

    /** What a caller whose answer was lost may do: ask again as the same owner, or give back what it may have. */
    @Test
    void whereTheAnswerIsLostEachIsToldSoAndHasWhatItClaimed() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = FaultProxy.to(server.host(), server.port());
                ApplicationContext application = through(proxy).application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Claim> claims = PiledUp.claims();
            proxy.resetOnReplyTo("unnest");
            List<Object> answers = callers.answers(store, i -> PiledUp.outcome(() -> get(store.claim(claims.get(i)))));
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer)
                            .isInstanceOf(RuntimeException.class)
                            .asString()
                            .contains("did not answer"));
            proxy.pass();
            await().ignoreExceptions().until(() -> Calls.find(store, "key0").isPresent());
            for (Claim claim : claims) {
                assertThat(get(store.claim(Calls.claim("key" + claims.indexOf(claim)))))
                        .as("nobody else gets it")
                        .isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(get(store.release(own(store, claim)))).isEqualTo(new Settled.Applied());
            }
        }
    }

    /** It is no database that is away, for which PROCEED would run the body. */
    @Test
    void aClaimWhoseKeyHasARecordIsRefusedWhenTheServerIsLostBeforeItIsRead() {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = FaultProxy.to(server.host(), server.port());
                ApplicationContext application = through(proxy).application()) {
            IdempotencyStore store = store(application);
            get(store.complete(own(store, Calls.claim("key")), Calls.RESULT, Calls.RETENTION));
            proxy.resetOnReplyTo("OCTET_LENGTH");
            assertThatThrownBy(() -> get(store.claim(Calls.claim("key")))).isInstanceOf(ClaimsRefusedException.class);
            proxy.pass();
            assertThat(get(store.claim(Calls.claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
        }
    }

    private Place through(FaultProxy proxy) {
        return new Place(
                place.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/"),
                place.user(),
                place.password(),
                place.table());
    }

    /** As a transactional operation does while its body runs. */
    @Test
    void aKeyThatAnotherTransactionIsClaimingKeepsOnlyItsOwnCallerWaiting() throws Exception {
        try (ApplicationContext application = place.application("idempotency.jdbc.pool-size", 2)) {
            IdempotencyStore store = store(application);
            try (Connection other = callers.open()) {
                other.setAutoCommit(false);
                Place.run(
                        other,
                        "INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                                + " claimed_at_ms, lease_until_ms, format_version) VALUES ('"
                                + Calls.id("key3").value() + "', 'charge', 'fingerprint', 'IN_PROGRESS', 'other', 1, 1,"
                                + " 1, 1, 1)");
                List<FutureTask<ClaimResult>> calls = PiledUp.started(i -> get(store.claim(claim("key" + i))));
                for (int i = 0; i < PiledUp.CALLERS; i++) {
                    if (i != 3) {
                        assertThat(calls.get(i).get()).isInstanceOf(ClaimResult.Acquired.class);
                    }
                }
                assertThat(calls.get(3).isDone()).isFalse();
                other.rollback();
                assertThat(calls.get(3).get()).isInstanceOf(ClaimResult.Acquired.class);
            }
        }
    }

    @Test
    void aResultThatTheDatabaseDoesNotTakeIsTheTroubleOfOneCaller() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned =
                    PiledUp.claims().stream().map(claim -> own(store, claim)).toList();
            place.limitResults(10);
            StoredResult large = new StoredResult.Present(new byte[11]);
            List<Object> answers = callers.answers(
                    store,
                    i -> PiledUp.outcome(() -> get(store.complete(owned.get(i), i == 3 ? large : RESULT, RETENTION))));
            for (int i = 0; i < PiledUp.CALLERS; i++) {
                if (i == 3) {
                    assertThat(answers.get(i)).isInstanceOf(RuntimeException.class);
                } else {
                    assertThat(answers.get(i)).isEqualTo(new Settled.Applied());
                }
            }
        }
    }

    @Test
    void whoHasLostItsClaimIsToldAndTheOthersAreNotTouched() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned =
                    PiledUp.claims().stream().map(claim -> own(store, claim)).toList();
            Ownership former = owned.get(3);
            callers.set(former, "fence = fence + 1");
            List<Settled> answers = callers.answers(store, i -> get(store.complete(owned.get(i), RESULT, RETENTION)));
            for (int i = 0; i < PiledUp.CALLERS; i++) {
                assertThat(answers.get(i) instanceof Settled.Applied).isEqualTo(i != 3);
            }
        }
    }

    @Test
    void whoeverWaitsIsHeldNoLongerThanTheCommandTimeout() throws Exception {
        try (ApplicationContext application =
                place.application("idempotency.jdbc.pool-size", 1, "idempotency.jdbc.command-timeout", "1s")) {
            IdempotencyStore store = store(application);
            try (Connection other = callers.locked()) {
                List<FutureTask<Object>> calls =
                        PiledUp.started(i -> PiledUp.outcome(() -> get(store.claim(claim("key" + i)))));
                for (FutureTask<Object> call : calls) {
                    assertThat(call.get()).asString().contains("idempotency.jdbc.command-timeout");
                }
                other.rollback();
            }
            assertThat(Calls.find(store, "key1")).as("nothing was sent for it").isEmpty();
        }
    }

    @Test
    void whoIsInterruptedWhileItWaitsLeavesAtOnce() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            try (Connection other = callers.locked()) {
                Thread[] waiting = new Thread[1];
                FutureTask<Object> plug = PiledUp.task(() -> get(store.claim(claim("plug"))), new Thread[1]);
                callers.awaitBlocked();
                FutureTask<Object> call = PiledUp.task(
                        () -> {
                            Object answer = PiledUp.outcome(() -> get(store.claim(claim("key"))));
                            return Thread.currentThread().isInterrupted() ? answer : "not interrupted any more";
                        },
                        waiting);
                await().until(() -> waiting[0].getState() == Thread.State.TIMED_WAITING);
                waiting[0].interrupt();
                assertThat(call.get())
                        .as("not a store that is away, without which a body might run")
                        .isInstanceOf(ClaimsRefusedException.class)
                        .asString()
                        .contains("interrupted while it waited")
                        .doesNotContain("command-timeout");
                other.rollback();
                assertThat(plug.get()).isInstanceOf(ClaimResult.Acquired.class);
            }
            assertThat(Calls.find(store, "key")).isEmpty();
        }
    }

    /** Where the JDK has virtual threads, their socket is closed when they are interrupted; other threads take no notice. */
    @Test
    void whoIsInterruptedWhileItAsksForOthersIsAloneInItsTrouble() throws Exception {
        try (ApplicationContext application =
                place.application("idempotency.jdbc.pool-size", 1, "idempotency.jdbc.command-timeout", "30s")) {
            IdempotencyStore store = store(application);
            othersAreAnswered(
                    store, application.getBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.BLOCKING)));
        }
    }

    private void othersAreAnswered(IdempotencyStore store, Executor threads) throws Exception {
        try (Connection first = callers.locked();
                Connection second = callers.open()) {
            FutureTask<Object> plug = PiledUp.task(() -> get(store.claim(claim("plug"))), new Thread[1]);
            callers.awaitBlocked();
            AtomicReference<Thread> asking = new AtomicReference<>();
            CompletableFuture<Object> told = CompletableFuture.supplyAsync(
                    () -> {
                        asking.set(Thread.currentThread());
                        return PiledUp.outcome(() -> get(store.claim(claim("key"))));
                    },
                    threads);
            await().until(() -> asking.get() != null && asking.get().getState() == Thread.State.TIMED_WAITING);
            List<FutureTask<Object>> others =
                    PiledUp.started(i -> PiledUp.outcome(() -> get(store.claim(claim("key" + i)))));
            second.setAutoCommit(false);
            FutureTask<Object> locked = PiledUp.task(
                    () -> {
                        callers.lock(second);
                        return second;
                    },
                    new Thread[1]);
            callers.awaitBlocked(2);
            first.rollback();
            plug.get();
            locked.get();
            callers.awaitBlocked();

            // asked before: a thread that has ended has no group
            boolean virtual = asking.get().getThreadGroup().getName().equals("VirtualThreads");
            asking.get().interrupt();
            if (virtual) {
                assertThat(told.get()).asString().contains("did not answer");
            }
            second.rollback();
            for (FutureTask<Object> other : others) {
                assertThat(other.get()).isInstanceOf(ClaimResult.Acquired.class);
            }
        }
    }
}
