package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.idempotency.test.FaultyStore;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The record in the caller's own transaction. */
class TransactionalTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private static final StoredResult RESULT = new StoredResult.Present(new byte[] {1});

    private final RecordId id = RecordId.of("tx", null, null, UUID.randomUUID().toString());

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private Claim claim() {
        return new Claim(
                id, "tx", "1:x", UUID.randomUUID().toString(), Duration.ofSeconds(30), Duration.ofDays(1), false);
    }

    private ClaimResult claimAndComplete(TransactionalStore.Work<Void> body, TransactionalStore store, Duration wait)
            throws Exception {
        Claim claim = claim();
        return store.inTransaction(wait, view -> {
            ClaimResult result = view.claim(claim);
            if (result instanceof ClaimResult.Acquired acquired) {
                body.in(view);
                Ownership ownership = new Ownership(id, claim.owner(), acquired.fence());
                view.complete(ownership, RESULT, Duration.ofDays(1));
            }
            return result;
        });
    }

    private StoredRecord found(IdempotencyStore store) {
        return store.find(id).orElse(null);
    }

    private static JdbcIdempotencyStore store(ApplicationContext application) {
        return application.getBean(JdbcIdempotencyStore.class);
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsCommittedIsFoundByTheNextCall(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application()) {
            JdbcIdempotencyStore store = store(application);
            assertThat(claimAndComplete(view -> null, store, Duration.ZERO)).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(claimAndComplete(view -> null, store, Duration.ZERO)).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(found(store).state()).isEqualTo(RecordState.COMPLETED);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void anExceptionRollsRecordAndWritesBackAndIsThrownAsItIs(Supplier<Place> place) throws Exception {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            JdbcIdempotencyStore store = store(application);
            IOException thrown = new IOException("checked");
            assertThatThrownBy(() -> claimAndComplete(
                            view -> {
                                throw thrown;
                            },
                            store,
                            Duration.ZERO))
                    .isSameAs(thrown);
            assertThat(found(store)).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aDuplicateIsLockedOutWhileTheFirstTransactionRunsAndFindsItsResultAfterwards(Supplier<Place> place)
            throws Exception {
        try (ApplicationContext application = place.get().application()) {
            JdbcIdempotencyStore store = store(application);
            CountDownLatch claimed = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Future<ClaimResult> first = threads.submit(() -> claimAndComplete(
                    view -> {
                        claimed.countDown();
                        go.await();
                        return null;
                    },
                    store,
                    Duration.ZERO));
            claimed.await();
            assertThatThrownBy(() -> claimAndComplete(view -> null, store, Duration.ZERO))
                    .isInstanceOf(KeyLockedException.class);
            Future<ClaimResult> waiter =
                    threads.submit(() -> claimAndComplete(view -> null, store, Duration.ofSeconds(30)));
            go.countDown();
            assertThat(first.get()).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(waiter.get()).isInstanceOf(ClaimResult.Duplicate.class);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aWaiterRunsWhenTheFirstTransactionIsRolledBack(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application()) {
            JdbcIdempotencyStore store = store(application);
            CountDownLatch claimed = new CountDownLatch(1);
            CompletableFuture<Void> fails = new CompletableFuture<>();
            Future<ClaimResult> first = threads.submit(() -> claimAndComplete(
                    view -> {
                        claimed.countDown();
                        return fails.join();
                    },
                    store,
                    Duration.ZERO));
            claimed.await();
            Future<ClaimResult> waiter =
                    threads.submit(() -> claimAndComplete(view -> null, store, Duration.ofSeconds(30)));
            fails.completeExceptionally(new IllegalStateException("rolled back"));
            assertThat(waiter.get()).isInstanceOf(ClaimResult.Acquired.class);
            assertThatThrownBy(first::get).hasStackTraceContaining("rolled back");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void theLimitOfTheClaimDoesNotHoldForTheBodysOwnStatements(Supplier<Place> place) throws Exception {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            String setting = Map.of(
                            "h2", "SELECT LOCK_TIMEOUT()",
                            "postgresql", "SHOW lock_timeout")
                    .getOrDefault(here.url().split(":", -1)[1], "SELECT @@innodb_lock_wait_timeout");
            String before = here.ask(setting);
            String[] inside = new String[1];
            store(application).inTransaction(Duration.ofMillis(7), view -> {
                view.claim(claim());
                inside[0] = application
                        .getBean(io.micronaut.data.jdbc.runtime.JdbcOperations.class)
                        .prepareStatement(setting, statement -> {
                            try (java.sql.ResultSet rows = statement.executeQuery()) {
                                rows.next();
                                return rows.getString(1);
                            }
                        });
                return null;
            });
            assertThat(inside[0]).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aStoreInFrontKeepsTheTransactionAndItsOwnDuty(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application()) {
            FaultyStore front = new FaultyStore(store(application));
            TransactionalStore transactions = front.transactional().orElseThrow();
            front.loseReply(FaultyStore.Call.COMPLETE);
            assertThatThrownBy(() -> claimAndComplete(view -> null, transactions, Duration.ZERO))
                    .hasMessageContaining("lost the reply");
            assertThat(found(front)).isNull();

            front.mend();
            assertThat(claimAndComplete(view -> null, transactions, Duration.ZERO))
                    .isInstanceOf(ClaimResult.Acquired.class);
            assertThat(found(front).state()).isEqualTo(RecordState.COMPLETED);
        }
    }
}
