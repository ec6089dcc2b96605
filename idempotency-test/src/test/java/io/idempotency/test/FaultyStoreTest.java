package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FaultyStoreTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final AuditNote NOTE = new AuditNote("why", DAY);

    private final IdempotencyStore behind = new MemoryIdempotencyStore(new VirtualClock());
    private final FaultyStore store = new FaultyStore(behind);
    private final Claim claim =
            new Claim(RecordId.of("faulty", null, null, "k"), "charge", "v1:1", "owner", DAY, DAY, false);

    @Nested
    final class WithoutFaults extends VirtualTimeTck {
        private final IdempotencyStore sound = new FaultyStore(new MemoryIdempotencyStore(clock));

        @Override
        protected IdempotencyStore store() {
            return sound;
        }
    }

    @Test
    void refusedCallIsNotApplied() {
        store.refuse(Call.CLAIM);
        assertThatThrownBy(() -> store.claim(claim))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not applied");
        assertThat(behind.find(claim.id())).isEmpty();
    }

    @Test
    void lostReplyWasApplied() {
        store.loseReply(Call.CLAIM);
        assertThatThrownBy(() -> store.claim(claim))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was applied");
        assertThat(behind.find(claim.id())).isPresent();
    }

    @Test
    void heldCallReachesTheStoreWhenItIsMended() throws Exception {
        FutureTask<ClaimResult> held = heldClaim();
        assertThat(behind.find(claim.id())).isEmpty();
        store.mend();
        assertThat(held.get()).isInstanceOf(ClaimResult.Acquired.class);
    }

    @Test
    void callThatWasHeldGoesOnAlsoWhenAnotherFaultCameSince() throws Exception {
        FutureTask<ClaimResult> held = heldClaim();
        store.refuse(Call.CLAIM);
        store.mend();
        assertThat(held.get()).isInstanceOf(ClaimResult.Acquired.class);
    }

    private FutureTask<ClaimResult> heldClaim() {
        store.hold(Call.CLAIM);
        FutureTask<ClaimResult> claiming = new FutureTask<>(() -> store.claim(claim));
        Thread caller = new Thread(claiming);
        caller.start();
        await().until(() -> caller.getState() == Thread.State.WAITING);
        return claiming;
    }

    @Test
    void delayedCallReachesTheStoreAfterTheDelay() {
        store.delay(Duration.ofMillis(100), Call.CLAIM);
        long start = System.nanoTime();
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void actionComesBeforeTheCallWhateverItsFault() {
        AtomicInteger seen = new AtomicInteger();
        store.before(Call.CLAIM, seen::incrementAndGet);
        store.claim(claim);
        store.refuse(Call.CLAIM);
        assertThatThrownBy(() -> store.claim(claim)).isInstanceOf(IllegalStateException.class);
        assertThat(seen).hasValue(2);
    }

    @Test
    void otherCallsGoThroughAndMendedOnesAsWell() {
        store.refuse(Call.COMPLETE, Call.FAIL);
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Acquired.class);
        store.refuse(Call.CLAIM);
        store.mend();
        assertThat(store.claim(claim)).isInstanceOf(ClaimResult.Acquired.class);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallCanBeRefused(Call call) {
        store.refuse(call);
        assertThatThrownBy(() -> make(call))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(call.name());
    }

    private Object make(Call call) {
        Ownership ownership = new Ownership(claim.id(), claim.owner(), 1);
        return switch (call) {
            case CLAIM -> store.claim(claim);
            case COMPLETE -> store.complete(ownership, new StoredResult.Present(new byte[0]), DAY);
            case FAIL -> store.fail(ownership, new StoredFailure("type", null, null), DAY);
            case RELEASE -> store.release(ownership);
            case DOUBT -> store.doubt(ownership, "why", DAY);
            case RENEW -> store.renew(List.of(new Renewal(ownership, DAY, DAY))).get(0);
            case FIND -> store.find(claim.id());
            case LIST -> store.list(RecordState.FAILED, Duration.ZERO, 1);
            case RESOLVE -> store.resolve(claim.id(), 1, new Resolution.Forget(), NOTE);
            case ERASE -> store.erase(claim.id(), NOTE);
            case AUDIT -> store.audit(claim.id());
            case PURGE -> store.purge(1);
        };
    }
}
