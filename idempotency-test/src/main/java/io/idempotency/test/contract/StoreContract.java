package io.idempotency.test.contract;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;

/** The parts of the contract, and what they need of a store's test, {@code IdempotencyStoreTck}. */
public abstract class StoreContract {

    /** The {@code @ResourceLock} of a test that changes the store as a whole and has to run alone. */
    public static final String STORE = "io.idempotency.test.store";

    /** How long leases are that have to end in a test, in milliseconds. */
    protected static final int SHORT_MILLIS = 150;

    /**
     * The store under test. It may be the same for all tests, and keeps its records during a test.
     *
     * @return never null
     */
    protected abstract IdempotencyStore store();

    /**
     * Lets at least this time pass on the store's clock. Waits by default, asking the store for the time;
     * the test of a store with a virtual clock overrides it.
     *
     * @param duration how long
     */
    protected void timePasses(Duration duration) {
        Claim probe = ContractPart.fresh();
        store().claim(probe);
        Instant until = readAt(probe).plus(duration);
        Awaitility.await("the store's clock advances by " + duration)
                .pollDelay(duration)
                .pollInterval(Duration.ofMillis(5))
                .atMost(duration.plusSeconds(20))
                .until(() -> !readAt(probe).isBefore(until));
    }

    /**
     * What the store's clock says. Override it where a test can ask that clock without the store, as by
     * {@code select clock_timestamp()}: then the contract sees that the store does not use the JVM's.
     *
     * @return to the millisecond or finer
     */
    protected Instant storeTime() {
        Claim probe = ContractPart.fresh();
        store().claim(probe);
        return readAt(probe);
    }

    private Instant readAt(Claim probe) {
        return store().find(probe.id())
                .orElseThrow(() -> new AssertionError("A claim with a retention of a day was absent at once"))
                .readAt();
    }

    /**
     * Changes the fence of a record behind the store's back, as if its clock had been ahead. Does
     * nothing by default: override it where a test can write to the store's memory.
     *
     * @param id the record
     * @param fence what the fence shall be
     */
    protected void raiseFence(RecordId id, long fence) {}

    /**
     * Moves the end of a record's lease behind the store's back, as if its clock had been set back. Does
     * nothing by default: override it where a test can write to the store's memory, or set its clock.
     *
     * @param id the record
     * @param by how much later the lease shall end
     */
    protected void moveLease(RecordId id, Duration by) {}

    /**
     * Whether waiting callers hear that a record was settled: by default where the store has
     * {@link IdempotencyStore#signals()}. Override it where that depends on the server.
     *
     * @return true when they must hear
     */
    protected boolean tellsWaiters() {
        return store().signals().isPresent();
    }

    /**
     * How long a signal may take in the test before it counts as lost.
     *
     * @return ten seconds unless overridden
     */
    protected Duration signalsWithin() {
        return Duration.ofSeconds(10);
    }

    /**
     * Lets the store hold no larger results, as a narrow column or a limit of the server does. Does
     * nothing by default: override it where a test can set such a limit.
     *
     * @param bytes the most; {@link Integer#MAX_VALUE} lifts the limit again
     */
    protected void limitResults(int bytes) {}

    @Nested
    final class Claiming extends ClaimingContract {}

    @Nested
    final class Settling extends SettlingContract {}

    @Nested
    final class Releasing extends ReleasingContract {}

    @Nested
    final class Leases extends LeasesContract {}

    @Nested
    final class Owning extends OwningContract {}

    @Nested
    final class Expiry extends ExpiryContract {}

    @Nested
    final class Resolving extends ResolvingContract {}

    @Nested
    final class Erasing extends ErasingContract {}

    @Nested
    final class Listing extends ListingContract {}

    @Nested
    final class Purging extends PurgingContract {}

    @Nested
    final class Concurrency extends ConcurrencyContract {}

    @Nested
    final class Values extends ValuesContract {}

    @Nested
    final class Arguments extends ArgumentsContract {}

    @Nested
    final class Signals extends SignalsContract {}
}
