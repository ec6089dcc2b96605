package io.idempotency.test;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link IdempotencyStore} as tests. A store's author extends it:
 *
 * <pre>{@code
 * final class MyStoreTest extends IdempotencyStoreTck {
 *     @Override
 *     protected IdempotencyStore store() {
 *         return new MyStore(...);
 *     }
 * }
 * }</pre>
 *
 * <p>It uses nothing but the store, and only keys of its own: other records may be there, and no clean-up is needed.
 * Leases that have to end are {@value StoreContract#SHORT_MILLIS} ms, everything else is far longer than a test.
 *
 * <p>Most of its time it waits for leases to end. Where JUnit runs tests in parallel, a store with a clock of its own is annotated with
 * {@code @Execution(CONCURRENT)}; one whose {@link #timePasses} moves a clock that all tests share is not.
 */
public abstract class IdempotencyStoreTck {

    /** The resource that a test locks ({@code @ResourceLock}) which changes the store as a whole, so that it runs alone. */
    public static final String STORE = "io.idempotency.test.store";

    /**
     * The store under test. It may be the same for all tests; what it stored must be there whenever a test asks again.
     *
     * @return never null
     */
    protected abstract IdempotencyStore store();

    /**
     * Lets at least this time pass on the store's clock. By default this waits, asking the store what time it is. Stores
     * with a virtual clock override it.
     *
     * @param duration how long
     */
    protected void timePasses(Duration duration) {
        Claim probe = Claims.fresh();
        store().claim(probe);
        Instant until = readAt(probe).plus(duration);
        Awaitility.await("the store's clock advances by " + duration)
                .pollDelay(duration)
                .pollInterval(Duration.ofMillis(5))
                .atMost(duration.plusSeconds(20))
                .until(() -> !readAt(probe).isBefore(until));
    }

    /**
     * What the store's clock says. Override it where a test can ask that clock without the store, for instance by
     * {@code select clock_timestamp()}: then the contract sees that the store really uses it, and not the JVM's.
     *
     * @return to the millisecond or finer
     */
    protected Instant storeTime() {
        Claim probe = Claims.fresh();
        store().claim(probe);
        return readAt(probe);
    }

    /**
     * Changes the fence of a record behind the store's back, as if its clock had been ahead. By default it stays as it is:
     * override it where a test can write to the store's memory, for instance by {@code update ... set fence = ?}.
     *
     * @param id the record
     * @param fence what the fence shall be
     */
    protected void raiseFence(RecordId id, long fence) {}

    /**
     * Moves the end of a record's lease behind the store's back, as if its clock had been set back since. By default it
     * stays as it is: override it where a test can write to the store's memory, or set its clock.
     *
     * @param id the record
     * @param by how much later the lease shall end
     */
    protected void moveLease(RecordId id, Duration by) {}

    /**
     * Whether waiting callers hear that a record was settled. By default a store that gives {@link IdempotencyStore#signals()}
     * must tell them; override it where that depends on the server.
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
     * Lets the store hold no results that are larger, as a narrow column or a limit of the server does. By default everything stays
     * as it is: override it where a test can set such a limit, and the contract sees what becomes of results beyond it.
     *
     * @param bytes the most; {@link Integer#MAX_VALUE} lifts the limit again
     */
    protected void limitResults(int bytes) {}

    private Instant readAt(Claim probe) {
        return store().find(probe.id())
                .orElseThrow(() -> new AssertionError("A claim with a retention of a day was absent at once"))
                .readAt();
    }

    @Nested
    final class Claiming extends ClaimingContract {
        Claiming() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class TakingOver extends TakingOverContract {
        TakingOver() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Reuse extends ReuseContract {
        Reuse() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Completing extends CompletingContract {
        Completing() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Failing extends FailingContract {
        Failing() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Releasing extends ReleasingContract {
        Releasing() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Leases extends LeasesContract {
        Leases() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Doubt extends DoubtContract {
        Doubt() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Owning extends OwnershipContract {
        Owning() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Expiry extends ExpiryContract {
        Expiry() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Times extends TimesContract {
        Times() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Resolving extends ResolvingContract {
        Resolving() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Audit extends AuditContract {
        Audit() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Erasing extends ErasingContract {
        Erasing() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Listing extends ListingContract {
        Listing() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Purging extends PurgingContract {
        Purging() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Fences extends FencesContract {
        Fences() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Values extends ValuesContract {
        Values() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Arguments extends ArgumentsContract {
        Arguments() {
            super(IdempotencyStoreTck.this);
        }
    }

    @Nested
    final class Signals extends SignalsContract {
        Signals() {
            super(IdempotencyStoreTck.this);
        }
    }
}
