package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims that are made at the same moment. */
class RacingLeasesTest {

    private static final int ROUNDS = 20_000;
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofSeconds(3);

    private final IdempotencyStore store = new MemoryIdempotencyStore(Instant::now);
    private final AtomicLong firstSweep = new AtomicLong();
    private final ExecutionServices services = TestServices.of(
            Runnable::run,
            (of, delay, task) -> firstSweep.accumulateAndGet(delay.toNanos(), Math::min),
            System::nanoTime,
            () -> "owner",
            () -> 0,
            List.of());

    private ActiveClaim claim(String key, Duration lease) {
        return claim(key, lease, 1);
    }

    private ActiveClaim claim(String key, Duration lease, long fence) {
        RecordId id = RecordId.of("payments", null, null, key);
        Operation operation = new Operation(
                "pay",
                "payments",
                store,
                new NoResults(),
                Seal.NONE,
                new Operation.Policy(
                        LONG,
                        LONG,
                        lease,
                        WhenInProgress.REJECT,
                        Duration.ZERO,
                        OnFailure.REMEMBER,
                        Map.of(),
                        OnStoreFailure.FAIL,
                        OnAbandoned.REFUSE,
                        false,
                        1000,
                        Duration.ofSeconds(2),
                        false));
        Invocation call = new Invocation(
                operation,
                id,
                CallFingerprint.only("1:arguments"),
                context -> CompletableFuture.completedFuture(null),
                null);
        return new ActiveClaim(call, new Ownership(id, key, fence), 1, System.nanoTime(), services);
    }

    private static final class NoResults implements ResultCodec {
        @Override
        public byte[] encode(Object value) {
            return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Test
    void theShortestLeaseIsRenewedInTimeHoweverTheyMeet() {
        ActiveClaim slow = claim("slow", LONG);
        ActiveClaim quick = claim("quick", SHORT);
        List<LeaseKeeper> keepers = Stream.generate(() -> new LeaseKeeper(store, services))
                .limit(ROUNDS)
                .toList();
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> keepers.forEach(keeper -> {
            meet(begun);
            keeper.keep(slow);
            meet(ended);
        }));
        for (LeaseKeeper keeper : keepers) {
            firstSweep.set(Long.MAX_VALUE);
            meet(begun);
            keeper.keep(quick);
            meet(ended);
            assertThat(firstSweep).hasValueLessThanOrEqualTo(SHORT.toNanos() / 3);
        }
        other.join();
    }

    /** The thread of the older one stands still between its claim and its first renewal, and another call takes over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofTwoClaimsOfAKeyTheOneWithTheLowerFenceIsLostInWhateverOrderTheyCome(boolean inOrder) {
        Queue<Runnable> sweeps = new ArrayDeque<>();
        List<Renewal> renewed = new ArrayList<>();
        IdempotencyStore watched = new ForwardingStore(store) {
            @Override
            public List<Settled> renew(List<Renewal> renewals) {
                renewed.addAll(renewals);
                return super.renew(renewals);
            }
        };
        LeaseKeeper keeper = new LeaseKeeper(
                watched,
                TestServices.of(
                        Runnable::run,
                        (of, delay, task) -> sweeps.add(task),
                        System::nanoTime,
                        () -> "owner",
                        () -> 0,
                        List.of()));
        ActiveClaim older = claim("k", SHORT, 1);
        ActiveClaim newer = claim("k", SHORT, 2);
        keeper.keep(inOrder ? older : newer);
        keeper.keep(inOrder ? newer : older);
        assertThat(older.leaseLost()).isTrue();
        assertThat(newer.leaseLost()).isFalse();
        sweeps.remove().run();
        assertThat(renewed).extracting(Renewal::ownership).containsExactly(newer.ownership());
    }

    /** Waits for the other thread. Yields, since on a busy machine that one may wait for this one's processor. */
    private static void meet(AtomicInteger arrivals) {
        int both = (arrivals.getAndIncrement() / 2 + 1) * 2;
        while (arrivals.get() < both) {
            Thread.yield();
        }
    }
}
