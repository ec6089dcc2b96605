package io.idempotency.runtime.engine;

import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds this JVM's claims in one store and renews their leases. Sweeps run one after the other, each with one call of
 * the store, as often as the shortest lease needs; the next sweep repeats a failed one. Tells a body that its claim is
 * lost, and lets duplicates ask the store when a lease has ended. Transactional claims are not held here. Thread-safe.
 */
final class LeaseKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
    private static final int RENEWALS_PER_LEASE = 3;

    private final IdempotencyStore store;
    private final ExecutionServices services;
    private final ConcurrentMap<RecordId, ActiveClaim> held = new ConcurrentHashMap<>();

    /** Whether a sweep is planned or running. A running sweep plans the next one at its end. */
    private volatile boolean planned;

    private volatile long dueNanos;

    LeaseKeeper(IdempotencyStore store, ExecutionServices services) {
        this.store = store;
        this.services = services;
    }

    /** Renews the lease of a claim until the claim is given up or lost. Of two claims of a key the older one is lost. */
    void keep(ActiveClaim claim) {
        ActiveClaim other = held.putIfAbsent(claim.call().id(), claim);
        if (other == null) {
            plan(claim);
        } else if (other.fence() > claim.fence()) {
            claim.lose(); // the other one took it over while this thread stood still; its body has not begun
        } else {
            giveUp(other);
            lost(other);
            keep(claim);
        }
    }

    /** Stops renewing a claim. Idempotent. */
    void giveUp(ActiveClaim claim) {
        held.remove(claim.call().id(), claim);
    }

    /**
     * Returns the claim under which a body runs in this JVM for the key of a call; null when only the store can tell.
     * The claim's lease certainly stands, so the store would refuse the call too and need not be asked.
     */
    @Nullable
    ActiveClaim keeping(Invocation call) {
        ActiveClaim claim = held.get(call.id());
        return claim != null && !claim.isSettling() && !claim.remainingLease().isZero() ? claim : null;
    }

    /** Tells whether a body ran under a claim in this JVM whose outcome the store has not got. */
    boolean holds(RecordId id) {
        return held.containsKey(id);
    }

    /** Tells whether this JVM is recording the outcome of a body that ran under a claim of the key. */
    boolean records(RecordId id) {
        ActiveClaim claim = held.get(id);
        return claim != null && claim.isSettling();
    }

    private static long thirdOf(ActiveClaim claim) {
        return claim.leaseNanos() / RENEWALS_PER_LEASE;
    }

    private void plan(ActiveClaim claim) {
        long due = services.time().nanos() + thirdOf(claim);
        if (planned && dueNanos - due <= 0) {
            return;
        }
        synchronized (this) {
            if (planned && dueNanos - due <= 0) {
                return;
            }
            dueNanos = due; // first: a claim that sees it planned relies on the time
            planned = true;
        }
        boolean accepted = false;
        try {
            services.maintenance().renewal(store, Duration.ofNanos(thirdOf(claim)), () -> sweep(due));
            accepted = true;
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the application shuts down, so the lease is not renewed any more;"
                            + " {} left",
                    claim.operation(),
                    claim.call().id(),
                    claim.remainingLease());
        } finally {
            if (!accepted) { // an accepted sweep resets it, and may have ended by now
                planned = false;
            }
        }
    }

    private void sweep(long due) {
        synchronized (this) {
            if (!planned || dueNanos != due) {
                return; // an earlier sweep has been planned since
            }
            dueNanos = services.time().nanos() - 1; // earlier than any other, so that none is planned meanwhile
        }
        try {
            renew();
        } finally {
            planned = false; // before reading the claims: a claim that arrives now plans the next sweep
            renewed().forEach(this::plan);
        }
    }

    /** Returns the claims that need renewals: after its lease, attempts to record an outcome do as much. */
    private List<ActiveClaim> renewed() {
        return held.values().stream()
                .filter(claim -> !claim.isSettling() || !claim.remainingLease().isZero())
                .toList();
    }

    private void renew() {
        long now = services.time().nanos();
        List<ActiveClaim> claims = renewed();
        long next = claims.stream().mapToLong(LeaseKeeper::thirdOf).min().orElse(0);
        List<ActiveClaim> due = claims.stream() // the next sweep is early enough for the others
                .filter(claim -> now - claim.sentNanos() + next > thirdOf(claim))
                .toList();
        if (!due.isEmpty()) {
            renew(due, now);
        }
    }

    private void renew(List<ActiveClaim> claims, long sent) {
        List<Settled> answers;
        try {
            answers = store.renew(claims.stream().map(LeaseKeeper::renewal).toList());
        } catch (Throwable e) { // an exception in one sweep must not prevent the next one
            claims.forEach(claim -> notRenewed(claim, e));
            return;
        }
        for (int i = 0; i < claims.size(); i++) {
            answered(claims.get(i), answers.get(i), sent);
        }
    }

    private static Renewal renewal(ActiveClaim claim) {
        return new Renewal(
                claim.ownership(), claim.policy().lease(), claim.policy().inDoubtRetention());
    }

    private void answered(ActiveClaim claim, Settled settled, long sent) {
        if (settled instanceof Settled.Unanswered unanswered) {
            notRenewed(claim, unanswered.failure());
            return;
        }
        if (settled instanceof Settled.Stale) {
            if (held.remove(claim.call().id(), claim)) {
                lost(claim);
            }
            return;
        }
        boolean late = claim.remainingLease().isZero();
        claim.renewed(sent);
        if (late && holds(claim)) {
            Listeners.tell(claim, ClaimChange.RENEWED_LATE);
        }
    }

    private boolean holds(ActiveClaim claim) {
        return held.get(claim.call().id()) == claim;
    }

    /** Handles a lost claim. Ignored while the outcome is being recorded: the store may already have it. */
    private void lost(ActiveClaim claim) {
        if (claim.isSettling()) {
            return;
        }
        claim.lose();
        LOG.warn(
                "Idempotent operation '{}' [key {}]: the running body has lost its claim (fence {}); its result"
                        + " will not be recorded",
                claim.operation(),
                claim.call().id(),
                claim.fence());
        tellBody(claim);
        Listeners.tell(claim, ClaimChange.LEASE_LOST);
    }

    /**
     * Runs the body's actions on another thread: they may take long, and other leases have to be renewed. The bodies to
     * be interrupted may hold all threads of the executor.
     */
    private void tellBody(ActiveClaim claim) {
        Runnable tell = () -> {
            if (!claim.loss().isDone()) { // or two threads would share the actions
                claim.loss().complete(null);
            }
        };
        Duration patience = IdempotencyEngine.PATIENCE;
        try {
            services.executor().execute(tell);
        } catch (Throwable e) { // an executor that can make no thread throws an Error
            patience = Duration.ZERO;
        }
        try {
            services.maintenance().after(store, patience, tell);
        } catch (RejectedExecutionException e) { // the application shuts down
            tell.run();
        }
    }

    /** Logs at most three failures in a row, as an outage may last days; none while the outcome is recorded. */
    private void notRenewed(ActiveClaim claim, Throwable failure) {
        if (!holds(claim)) {
            return;
        }
        int inARow = claim.failedToRenew();
        Listeners.tell(claim, ClaimChange.NOT_RENEWED);
        if (inARow <= RENEWALS_PER_LEASE && !claim.isSettling()) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: the lease could not be renewed ({} in a row); {} left, trying"
                            + " again: {}",
                    claim.operation(),
                    claim.call().id(),
                    inARow,
                    claim.remainingLease(),
                    Failures.text(failure),
                    inARow > 1 ? null : failure);
        }
    }
}
