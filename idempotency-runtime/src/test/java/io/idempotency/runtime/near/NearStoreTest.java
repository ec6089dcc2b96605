package io.idempotency.runtime.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.FaultyStore;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is remembered, for how long, and that everything else is asked of the store. */
class NearStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int KILOBYTE = 1024;

    private final VirtualClock clock = new VirtualClock();
    private final Instant start = clock.instant();
    private final IdempotencyStore memory = new MemoryIdempotencyStore(clock);
    private final FaultyStore behind = new FaultyStore(memory);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger hits = new AtomicInteger();
    private NearStore store = near(1 << 20);

    NearStoreTest() {
        behind.before(Call.CLAIM, asked::incrementAndGet);
    }

    private NearStore near(int maxWeight) {
        return new NearStore(
                behind,
                maxWeight,
                LIMIT,
                () -> Duration.between(start, clock.instant()).toNanos(),
                hits::incrementAndGet);
    }

    private static Claim of(String key) {
        RecordId id = RecordId.of("tests", null, null, key);
        return new Claim(id, "charge", "1:arguments", "" + UUID.randomUUID(), LEASE, Duration.ofDays(30), false);
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private Ownership owned(String key) {
        Claim claim = of(key);
        ClaimResult.Acquired acquired = (ClaimResult.Acquired) join(store.claim(claim));
        return new Ownership(claim.id(), claim.owner(), acquired.fence());
    }

    private static StoredResult result(int size) {
        return new StoredResult.Present(new byte[size]);
    }

    private void completed(String key, Duration retention) {
        join(store.complete(owned(key), result(10), retention));
    }

    private StoredRecord duplicate(String key) {
        return ((ClaimResult.Duplicate) join(store.claim(of(key)))).record();
    }

    private void assertAsked(int times, Runnable question) {
        int before = asked.get();
        question.run();
        assertThat(asked.get() - before).isEqualTo(times);
    }

    @Test
    void theSecondReplayOfACompletedRecordDoesNotReachTheStore() {
        completed("k", RETENTION);
        assertAsked(1, () -> duplicate("k"));
        assertAsked(0, () -> assertThat(duplicate("k").state()).isEqualTo(RecordState.COMPLETED));
        assertThat(store.remembered(of("k").id())).isPresent();
        assertThat(hits).hasValue(2);
    }

    @Test
    void soDoesThatOfAFailure() {
        join(store.fail(owned("k"), new StoredFailure("CardExpired", null, "E42"), RETENTION));
        assertAsked(1, () -> duplicate("k"));
        assertAsked(0, () -> assertThat(duplicate("k").failure()).isNotNull());
    }

    @Test
    void whatIsRunningInDoubtOrWithoutItsResultIsAskedAgainAndAgain() {
        owned("running");
        join(store.doubt(owned("in doubt"), "nobody knows", RETENTION));
        join(store.complete(owned("omitted"), new StoredResult.Omitted("too large", 100), RETENTION));
        for (String key : new String[] {"running", "in doubt", "omitted"}) {
            assertAsked(2, () -> {
                duplicate(key);
                duplicate(key);
            });
            assertThat(store.remembered(of(key).id())).isEmpty();
        }
        assertThat(hits).hasValue(0);
    }

    @Test
    void operationAndFingerprintAreComparedWithWhatIsRemembered() {
        completed("k", RETENTION);
        Claim other = of("k").with("1:others");
        assertAsked(1, () -> assertThat(join(store.claim(other))).isInstanceOf(ClaimResult.OtherArguments.class));
        assertAsked(0, () -> assertThat(join(store.claim(other))).isInstanceOf(ClaimResult.OtherArguments.class));
        Claim same = of("k");
        Claim refund = new Claim(
                same.id(), "refund", same.fingerprint(), same.owner(), LEASE, same.retention(), same.takeOver());
        assertAsked(0, () -> assertThat(join(store.claim(refund))).isInstanceOf(ClaimResult.OtherOperation.class));
        assertAsked(0, () -> duplicate("k"));
    }

    @Test
    void nothingIsRememberedPastItsExpiry() {
        completed("k", Duration.ofSeconds(100));
        clock.advance(Duration.ofSeconds(40));
        duplicate("k");
        clock.advance(Duration.ofSeconds(59));
        assertAsked(0, () -> duplicate("k"));
        clock.advance(Duration.ofSeconds(1));
        assertAsked(1, () -> assertThat(join(store.claim(of("k")))).isInstanceOf(ClaimResult.Acquired.class));
    }

    /** The store read its clock some time before its answer came. */
    @Test
    void theTimeThatTheAnswerTookCounts() {
        completed("k", Duration.ofSeconds(100));
        behind.before(Call.CLAIM, () -> clock.advance(Duration.ofSeconds(50)));
        duplicate("k");
        behind.before(Call.CLAIM, asked::incrementAndGet);
        clock.advance(Duration.ofMillis(100));
        assertThat(store.remembered(of("k").id())).isEmpty();
    }

    @Test
    void theTimeLimitCountsFromTheQuestionAndIsNotProlongedByHits() {
        completed("k", RETENTION);
        duplicate("k");
        clock.advance(LIMIT.minusMillis(1));
        assertAsked(0, () -> duplicate("k"));
        clock.advance(Duration.ofMillis(1));
        assertAsked(1, () -> duplicate("k"));
        assertAsked(0, () -> duplicate("k"));
    }

    @Test
    void aRecordThatIsKeptForEverIsRememberedForTheTimeLimit() {
        completed("k", IdempotencyStore.FOREVER);
        duplicate("k");
        assertAsked(0, () -> duplicate("k"));
        clock.advance(LIMIT);
        assertAsked(1, () -> duplicate("k"));
    }

    @Test
    void theWeightIsBounded() {
        store = near(64 * KILOBYTE);
        for (int i = 0; i < 100; i++) {
            join(store.complete(owned("k" + i), result(2 * KILOBYTE), RETENTION));
            duplicate("k" + i);
        }
        long remembered = java.util.stream.IntStream.range(0, 100)
                .filter(i -> store.remembered(of("k" + i).id()).isPresent())
                .count();
        assertThat(remembered).isBetween(10L, 24L);
    }

    @Test
    void whatIsHeavierThanTheCacheIsNotRemembered() {
        store = near(KILOBYTE);
        join(store.complete(owned("k"), result(2 * KILOBYTE), RETENTION));
        duplicate("k");
        assertAsked(1, () -> duplicate("k"));
    }

    /** Only what is in doubt is resolved, and that is never remembered: so no other node's resolution is missed either. */
    @Test
    void whatWasResolvedIsSeenAtOnceWhoeverResolvedIt() {
        Ownership ownership = owned("k");
        join(store.doubt(ownership, "nobody knows", RETENTION));
        duplicate("k");
        AuditNote note = new AuditNote("looked it up", RETENTION);
        join(memory.resolve(ownership.id(), ownership.fence(), new Resolution.Complete(result(1), RETENTION), note));
        assertThat(duplicate("k").state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void anOutageDoesNotReachWhatIsRemembered() {
        completed("k", RETENTION);
        duplicate("k");
        behind.refuse(Call.CLAIM);
        assertThat(duplicate("k").state()).isEqualTo(RecordState.COMPLETED);
        assertThat(store.claim(of("another")).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void whatTheStoreCanDoIsNotLost() {
        assertThat(store.name()).isEqualTo(memory.name());
        assertThat(store.blocking()).isEqualTo(memory.blocking());
        assertThat(store.signals()).isPresent();
        assertThat(store.transactional()).isEqualTo(memory.transactional());
        assertThat(join(store.approximateSize())).isEqualTo(join(memory.approximateSize()));
    }
}
