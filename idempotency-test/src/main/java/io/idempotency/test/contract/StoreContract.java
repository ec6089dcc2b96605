package io.idempotency.test.contract;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;

/** The parts of the contract, and the methods that the test of a store, {@code IdempotencyStoreTck}, provides. */
public abstract class StoreContract {

    /** The {@code @ResourceLock} of tests that change the store as a whole and have to run alone. */
    public static final String STORE = "io.idempotency.test.store";

    /** The duration of leases that end during a test, in milliseconds. */
    protected static final int SHORT_MILLIS = 150;

    /** Returns the store under test. It may be the same for all tests, and keeps its records during a test. */
    protected abstract IdempotencyStore store();

    /** Lets at least this time pass on the store's clock. Waits by default; override it for a virtual clock. */
    protected void timePasses(Duration duration) {
        Instant until = storeTime().plus(duration);
        Awaitility.await("the store's clock advances by " + duration)
                .pollDelay(duration)
                .pollInterval(Duration.ofMillis(5))
                .atMost(duration.plusSeconds(20))
                .until(() -> !storeTime().isBefore(until));
    }

    /**
     * Returns the time of the store's clock. Override it where a test can ask that clock without the store, as by
     * {@code select clock_timestamp()}, in milliseconds or finer: then the contract verifies that the store does not
     * use the JVM's.
     */
    protected Instant storeTime() {
        Claim probe = ContractPart.fresh();
        store().claim(probe);
        return store().find(probe.id())
                .orElseThrow(() -> new AssertionError("A claim with a retention of a day was absent at once"))
                .readAt();
    }

    /** Sets a record's fence, as if the store's clock had been ahead. Override it where a test can write to a store. */
    protected void raiseFence(RecordId id, long fence) {}

    /**
     * Lets a record's lease end later, behind the store's back, as if its clock had been set back. Does nothing by
     * default: override it where a test can write to the store's memory, or set its clock.
     */
    protected void moveLease(RecordId id, Duration by) {}

    /**
     * Tells whether waiting callers hear that a record was settled: by default if the store has
     * {@link IdempotencyStore#signals()}. Override it where that depends on the server.
     */
    protected boolean tellsWaiters() {
        return store().signals().isPresent();
    }

    /** Returns how long a signal may take in a test before it counts as lost. */
    protected Duration signalsWithin() {
        return Duration.ofSeconds(10);
    }

    /** Limits a result's bytes; {@link Integer#MAX_VALUE} lifts the limit. Override it where a server can do that. */
    protected void limitResults(int bytes) {}

    @Nested
    final class Claiming extends ClaimingContract {}

    @Nested
    final class Settling extends SettlingContract {}

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
