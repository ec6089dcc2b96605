package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FaultyStoreTest {

    private final IdempotencyStore behind = new MemoryIdempotencyStore(new VirtualClock());
    private final FaultyStore store = new FaultyStore(behind);
    private final Claim claim = Claims.fresh();

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
        assertThatThrownBy(() -> StoreContract.join(store.claim(claim)))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("not applied");
        assertThat(StoreContract.join(behind.find(claim.id()))).isEmpty();
    }

    @Test
    void lostReplyWasApplied() {
        store.loseReply(Call.CLAIM);
        assertThatThrownBy(() -> StoreContract.join(store.claim(claim)))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("was applied");
        assertThat(StoreContract.join(behind.find(claim.id()))).isPresent();
    }

    @Test
    void heldCallReachesTheStoreWhenItIsMended() {
        store.hold(Call.CLAIM);
        CompletionStage<ClaimResult> held = store.claim(claim);
        assertThat(StoreContract.join(behind.find(claim.id()))).isEmpty();
        store.mend();
        assertThat(held.toCompletableFuture()).isCompletedWithValueMatching(ClaimResult.Acquired.class::isInstance);
    }

    @Test
    void callThatWasHeldGoesOnAlsoWhenAnotherFaultCameSince() {
        store.hold(Call.CLAIM);
        CompletionStage<ClaimResult> held = store.claim(claim);
        store.refuse(Call.CLAIM);
        store.mend();
        assertThat(held.toCompletableFuture()).isCompleted();
    }

    @Test
    void delayedCallReachesTheStoreAfterTheDelay() {
        store.delay(Duration.ofMillis(100), Call.CLAIM);
        long start = System.nanoTime();
        assertThat(StoreContract.join(store.claim(claim))).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void actionComesBeforeTheCallWhateverItsFault() {
        AtomicInteger seen = new AtomicInteger();
        store.before(Call.CLAIM, seen::incrementAndGet);
        store.claim(claim);
        store.refuse(Call.CLAIM);
        store.claim(claim);
        assertThat(seen).hasValue(2);
    }

    @Test
    void otherCallsGoThroughAndMendedOnesAsWell() {
        store.refuse(Call.COMPLETE, Call.FAIL);
        assertThat(StoreContract.join(store.claim(claim))).isInstanceOf(ClaimResult.Acquired.class);
        store.refuse(Call.CLAIM);
        store.mend();
        assertThat(StoreContract.join(store.claim(claim))).isInstanceOf(ClaimResult.Acquired.class);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallCanBeRefused(Call call) {
        store.refuse(call);
        assertThatThrownBy(() -> StoreContract.join(make(call)))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining(call.name());
    }

    private CompletionStage<?> make(Call call) {
        Ownership ownership = new Ownership(claim.id(), claim.owner(), 1);
        return switch (call) {
            case CLAIM -> store.claim(claim);
            case COMPLETE -> store.complete(ownership, StoreContract.RESULT, StoreContract.RETENTION);
            case FAIL -> store.fail(ownership, StoreContract.FAILURE, StoreContract.RETENTION);
            case RELEASE -> store.release(ownership);
            case DOUBT -> store.doubt(ownership, "why", StoreContract.RETENTION);
            case RENEW -> store.renew(ownership, StoreContract.LONG, StoreContract.RETENTION);
            case FIND -> store.find(claim.id());
            case LIST -> store.list(RecordState.FAILED, Duration.ZERO, 1);
            case RESOLVE -> store.resolve(claim.id(), 1, new Resolution.Forget(), StoreContract.NOTE);
            case AUDIT -> store.audit(claim.id());
            case PURGE -> store.purge(1);
        };
    }
}
