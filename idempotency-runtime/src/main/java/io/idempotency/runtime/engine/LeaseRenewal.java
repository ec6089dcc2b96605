package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Settled;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the lease of one running body at a third of its length, until it is stopped or the claim is lost. */
final class LeaseRenewal {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);
    private static final int RENEWALS_PER_LEASE = 3;

    private final ActiveClaim claim;
    private final ExecutionServices services;
    private volatile boolean stopped;

    /** In a row; one renewal follows the other. */
    private volatile int failures;

    private volatile @Nullable Runnable cancelNext;

    LeaseRenewal(ActiveClaim claim, ExecutionServices services) {
        this.claim = claim;
        this.services = services;
    }

    LeaseRenewal start() {
        try {
            cancelNext = services.timer()
                    .after(claim.call().operation().policy().lease().dividedBy(RENEWALS_PER_LEASE), this::renew);
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the application shuts down, so the lease is not renewed any more;"
                            + " {} left",
                    claim.operation(),
                    claim.keyHash(),
                    claim.remainingLease());
        }
        return this;
    }

    void stop() {
        stopped = true;
        Runnable cancel = cancelNext;
        if (cancel != null) {
            cancel.run();
        }
    }

    private void renew() {
        if (stopped) {
            return;
        }
        Operation.Policy policy = claim.call().operation().policy();
        IdempotencyStore store = claim.call().operation().store();
        long sent = services.nanoTime().getAsLong();
        new StoreInvoker.Background(services.upkeep())
                .ask(store, s -> s.renew(claim.ownership(), policy.lease(), policy.inDoubtRetention()))
                .whenComplete((settled, failure) -> answered(settled, failure, sent));
    }

    private void answered(@Nullable Settled settled, @Nullable Throwable failure, long sent) {
        if (stopped) {
            return; // the outcome is being recorded: a refusal now says nothing about the claim
        }
        if (settled instanceof Settled.Stale) {
            claim.lose();
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the running body has lost its claim (fence {}); its result"
                            + " will not be recorded",
                    claim.operation(),
                    claim.keyHash(),
                    claim.fence());
            claim.loss().completeAsync(() -> null, services.upkeep());
            return;
        }
        if (failure == null) {
            claim.renewed(sent);
            failures = 0;
        } else {
            claim.notRenewed();
            report(failure);
        }
        start();
    }

    /** As long as there is a lease to lose: an outage may last for days. */
    private void report(Throwable failure) {
        int before = failures;
        failures = before + 1;
        if (before < RENEWALS_PER_LEASE) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the lease could not be renewed; {} left, trying again{}",
                    claim.operation(),
                    claim.keyHash(),
                    claim.remainingLease(),
                    before > 0 ? ": " + Failures.text(StoreInvoker.unwrapped(failure)) : "",
                    before > 0 ? null : failure);
        }
    }
}
