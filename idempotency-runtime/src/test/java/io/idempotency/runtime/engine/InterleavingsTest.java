package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What threads share, with the threads switched in every way there is time for: the answers are those that the same calls
 * would have got one after the other, and nobody is left waiting. More of them: {@code -Dlincheck.iterations=50
 * -Dlincheck.invocations=20000}.
 */
@Tag("thorough")
class InterleavingsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONG = Duration.ofHours(1);
    private static final RecordId ID = RecordId.of("payments", null, null, "k");
    private static final StoredRecord RECORD = new StoredRecord(
            ID,
            "pay",
            "1:x",
            RecordState.IN_PROGRESS,
            "owner",
            1,
            1,
            NOW,
            NOW.plus(LONG),
            null,
            null,
            NOW,
            null,
            null,
            null,
            null);

    @Test
    void callsOfOneKeyTakeTurns() {
        check(Releases.class, 3);
    }

    @Test
    void noSignalOfAnotherNodeIsMissed() {
        check(AnotherNode.class, 3);
    }

    @Test
    void theMemoryStoreClaimsAndSettlesInOneStep() {
        check(ClaimsOfOneKey.class, 5);
    }

    @Test
    void noBodySlipsInWhileTheApplicationShutsDown() {
        check(LastCalls.class, 5);
    }

    @Test
    void nobodyWaitsAfterTheLastWord() {
        check(LastWaiters.class, 1);
    }

    /** Locks, conditions and counters that were taken out on purpose were found with 200 of a call's orders; more by {@code -Dlincheck.invocations=10000}. */
    static void check(Class<?> calls, int iterations) { // one, where all callers do the same
        check(calls, iterations, 0, 1);
    }

    static void check(Class<?> calls, int iterations, int before, int after) {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(1)
                .actorsBefore(before)
                .actorsAfter(after)
                .iterations(Integer.getInteger("lincheck.iterations", iterations))
                .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 250))
                // ten seconds unless told: on a busy machine it takes longer to instrument a class
                .invocationTimeout$lincheck(Duration.ofMinutes(2).toMillis())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses("java.util.concurrent.ConcurrentHashMap")
                        .allMethods()
                        .treatAsAtomic())
                .check(calls);
    }

    /** A time that stands still, in which whoever is not woken waits for ever. */
    private static final class NoTime implements ElapsedTime {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void await(CompletableFuture<?> event, long nanos) {
            event.join();
        }
    }

    private static Waiting waiting() {
        return new Waiting(TestServices.of(
                Runnable::run, (store, delay, task) -> {}, new NoTime(), () -> "token", () -> 0.0, List.of()));
    }

    private static Waiting.Turn next(WaitingGroup.Seat seat) {
        try {
            return seat.next();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls that take turns, as {@link ProtectedExecution} does. */
    public abstract static class CallsOfOneKey {

        enum State {
            ABSENT,
            HELD,
            DONE
        }

        private final Waiting waiting = waiting();
        private final SettlementSignals.Listeners listeners = new SettlementSignals.Listeners();
        private final Waiting.Key key = new Waiting.Key(
                new ForwardingStore(new MemoryIdempotencyStore(() -> NOW)) {
                    @Override
                    public Optional<SettlementSignals> signals() {
                        return Optional.of(listeners::add);
                    }
                },
                ID,
                "pay",
                "1:x");
        private final AtomicReference<State> state = new AtomicReference<>(State.ABSENT);

        CallsOfOneKey() {
            listeners.live(true);
        }

        @Operation
        public String call() {
            return call(State.DONE);
        }

        final String call(State after) {
            try (WaitingGroup.Seat seat = waiting.join(key, LONG)) {
                while (next(seat) instanceof Waiting.Turn.Claim) {
                    if (state.compareAndSet(State.ABSENT, State.HELD)) {
                        state.set(after);
                        listeners.wake(ID);
                        seat.pass(true);
                        return "done";
                    } else if (state.get() == State.DONE) {
                        seat.answer(told -> new Outcome.Replayed(null));
                        return "done before";
                    }
                    seat.busy(RECORD);
                }
                return "done before";
            }
        }

        /** A call that gives up as soon as it can; whatever becomes of it, the others do not notice. */
        @Operation
        public void giveUp() {
            try (WaitingGroup.Seat seat = waiting.join(key, LONG)) {
                seat.leave();
                next(seat);
            }
        }

        /** A call of another JVM, which the store's signal tells of. */
        final void elsewhere() {
            if (state.compareAndSet(State.ABSENT, State.HELD)) {
                state.set(State.DONE);
                listeners.wake(ID);
            }
        }

        @Validate
        public void nothingIsLeft() {
            if (!waiting.groups.isEmpty() || !listeners.isEmpty()) {
                throw new IllegalStateException("A group of calls outlived its last call");
            }
        }
    }

    /** Some calls give the key back. */
    public static final class Releases extends CallsOfOneKey {
        @Operation
        public String callWithoutEffect() {
            return call(State.ABSENT);
        }
    }

    /** Another JVM calls too. */
    public static final class AnotherNode extends CallsOfOneKey {
        @Operation
        public void callOfAnotherNode() {
            elsewhere();
        }
    }

    /** Claims of a store whose clock stands still, so that their fences are consecutive numbers. */
    @Param(name = "owner", gen = IntGen.class, conf = "1:2")
    public static final class ClaimsOfOneKey {

        private static final long FIRST_FENCE = 1_000_000 * NOW.getEpochSecond();

        private final MemoryIdempotencyStore store = new MemoryIdempotencyStore(() -> NOW);

        @Operation
        public String claim(@Param(name = "owner") int owner) {
            return claim(owner, false);
        }

        @Operation
        public String takeOver(@Param(name = "owner") int owner) {
            return claim(owner, true);
        }

        private String claim(int owner, boolean takeOver) {
            ClaimResult result = store.claim(
                    new Claim(ID, "pay", "1:x", "owner " + owner, Duration.ofMinutes(1), Duration.ofDays(1), takeOver));
            return result instanceof ClaimResult.Acquired acquired
                    ? "acquired " + (acquired.fence() - FIRST_FENCE)
                    : "" + ((ClaimResult.Duplicate) result).record().state();
        }

        @Operation
        public String complete(@Param(name = "owner") int owner) {
            StoredResult result = new StoredResult.Present(new byte[] {(byte) owner});
            return name(store.complete(first(owner), result, Duration.ofDays(1)));
        }

        @Operation
        public String doubt(@Param(name = "owner") int owner) {
            return name(store.doubt(first(owner), "cut off", Duration.ofDays(1)));
        }

        @Operation
        public String release(@Param(name = "owner") int owner) {
            return name(store.release(first(owner)));
        }

        private static Ownership first(int owner) {
            return new Ownership(ID, "owner " + owner, FIRST_FENCE);
        }

        private static String name(Object answer) {
            return answer.getClass().getSimpleName();
        }
    }

    /** Calls of an application that stops. */
    public static final class LastCalls {

        private final InFlightGate gate = new InFlightGate();
        private volatile boolean gone;

        @Operation
        public String call() {
            if (!gate.enter(false)) {
                return "refused";
            }
            String ran = gone ? "ran after the end" : "ran";
            gate.leave();
            return ran;
        }

        @Operation
        public void shutDown() {
            gate.close().thenRun(() -> gone = true);
        }

        @Validate
        public void nobodyIsInside() {
            if (gate.inside() != 0) {
                throw new IllegalStateException(gate.inside() + " calls never left");
            }
        }
    }

    /** Calls that wait for a key that is never free, until the first of them says the last word. */
    public static final class LastWaiters {

        private final Waiting waiting = waiting();
        private final Waiting.Key key = new Waiting.Key(new MemoryIdempotencyStore(() -> NOW), ID, "pay", "1:x");

        @Operation
        public void call() {
            try (WaitingGroup.Seat seat = waiting.join(key, LONG)) {
                while (next(seat) instanceof Waiting.Turn.Claim) {
                    seat.busy(RECORD);
                    waiting.dismissAll(Refusals::shuttingDown);
                }
            }
        }

        @Validate
        public void nobodyWaits() {
            if (!waiting.ended().isDone()) {
                throw new IllegalStateException("A call waits for ever");
            }
        }
    }
}
