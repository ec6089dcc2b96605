package io.idempotency.runtime.engine;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of one claim at a third of its length, until it is stopped or the claim is lost. The timer repeats it by
 * itself: nothing that is thrown here, and no answer that never comes, ends the renewing.
 */
final class LeaseRenewal implements BooleanSupplier {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);
    private static final int RENEWALS_PER_LEASE = 3;

    private final ActiveClaim claim;
    private final ExecutionServices services;

    /** The thread that sets it need not do anything else: the next firing sees it, and ends. */
    private volatile boolean stopped;

    /** The body is over, and its outcome is being recorded. */
    private volatile boolean settling;

    /** In a row. */
    private volatile int failures;

    private volatile @Nullable Attempt underWay;
    private volatile @Nullable Runnable cancel;

    /** One renewal, by identity. */
    private static final class Attempt {
        private final long sentNanos;

        Attempt(long sentNanos) {
            this.sentNanos = sentNanos;
        }
    }

    LeaseRenewal(ActiveClaim claim, ExecutionServices services) {
        this.claim = claim;
        this.services = services;
    }

    /** The claim has an owner that stops this before it is started. */
    void start() {
        try {
            long lease = NANOSECONDS.convert(policy().lease()); // a duration is divided as a decimal
            cancel = services.timer().every(Duration.ofNanos(lease / RENEWALS_PER_LEASE), this);
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the application shuts down, so the lease is not renewed any more;"
                            + " {} left",
                    claim.operation(),
                    claim.call().id(),
                    claim.remainingLease());
        }
    }

    void stop() {
        stopped = true;
        Runnable entry = cancel;
        if (entry != null) {
            entry.run();
        }
    }

    /**
     * From now on a refusal says nothing about the claim, since the outcome may have been recorded without anybody hearing of
     * it; and a lease that is over is left alone, because the attempts to record do as much as a renewal.
     */
    void settling() {
        settling = true;
    }

    private Operation.Policy policy() {
        return claim.call().operation().policy();
    }

    @Override
    public boolean getAsBoolean() {
        if (stopped || settling && claim.remainingLease().isZero()) {
            return false;
        }
        long now = services.nanoTime().getAsLong();
        Attempt before = underWay;
        if (before == null) {
            renew(now);
        } else {
            claim.notRenewed();
            report("the one before is not over after " + Duration.ofNanos(now - before.sentNanos), null);
            if (now - before.sentNanos >= policy().lease().toNanos()) {
                renew(now); // its answer may never come
            }
        }
        return true;
    }

    private void renew(long now) {
        Attempt attempt = new Attempt(now);
        underWay = attempt;
        IdempotencyStore store = claim.call().operation().store();
        StoreInvoker.inBackground(
                        services.upkeep().renewals(store),
                        store,
                        s -> Stages.of(() -> s.renew(List.of(
                                        new Renewal(claim.ownership(), policy().lease(), policy().inDoubtRetention())))
                                .get(0)))
                .whenComplete((settled, failure) -> {
                    if (attempt == underWay) {
                        underWay = null;
                    }
                    answered(settled, failure, attempt.sentNanos);
                });
    }

    private void answered(@Nullable Settled settled, @Nullable Throwable failure, long sent) {
        if (stopped) {
            return;
        }
        if (settled instanceof Settled.Stale) {
            stop();
            if (!settling) {
                lost();
            }
        } else if (failure == null) {
            boolean late = claim.remainingLease().isZero();
            claim.renewed(sent);
            failures = 0;
            if (late) {
                tell(OutcomeListener.ClaimChange.RENEWED_LATE);
            }
        } else {
            claim.notRenewed();
            report(null, failure);
        }
    }

    private void tell(OutcomeListener.ClaimChange change) {
        Listeners.tell(claim, change, services.listeners());
    }

    private void lost() {
        claim.lose();
        LOG.warn(
                "Idempotent operation '{}' [key {}]: the running body has lost its claim (fence {}); its result"
                        + " will not be recorded",
                claim.operation(),
                claim.call().id(),
                claim.fence());
        claim.loss()
                .completeAsync(
                        () -> null,
                        services.upkeep().retries(claim.call().operation().store()));
        tell(OutcomeListener.ClaimChange.LEASE_LOST);
    }

    /** As long as there is a lease to lose: an outage may last for days. Recording the outcome tells of it. */
    private void report(@Nullable String why, @Nullable Throwable failure) {
        int before = failures;
        failures = before + 1;
        tell(OutcomeListener.ClaimChange.NOT_RENEWED);
        if (before < RENEWALS_PER_LEASE && !settling) {
            String reason = failure == null ? why : Failures.text(StoreInvoker.unwrapped(failure));
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the lease could not be renewed ({} in a row); {} left, trying"
                            + " again: {}",
                    claim.operation(),
                    claim.call().id(),
                    before + 1,
                    claim.remainingLease(),
                    reason,
                    before > 0 ? null : failure);
        }
    }
}
