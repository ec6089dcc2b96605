package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;

/**
 * Wakes a group whose key is held elsewhere: by the store's signal, when the lease ends, and by polling, which is rare
 * while signals arrive. A woken caller claims, so that no signal is trusted and a lost one only costs time.
 */
final class SettlementWatch implements SingleFlight.Alarm {

    private static final Polls QUICK = new Polls(Duration.ofMillis(10), Duration.ofMillis(250));
    private static final Polls RARE = new Polls(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** Waiters of several JVMs do not all ask in the millisecond in which the lease ends. */
    private static final Duration AFTER_LEASE = Duration.ofMillis(25);

    private final ExecutionServices services;
    private final Runnable wake;
    private final Subscription subscription;
    private Polls polls = QUICK;
    private volatile Duration poll = QUICK.first();
    private volatile Runnable cancel = () -> {};

    private record Polls(Duration first, Duration longest) {}

    SettlementWatch(ExecutionServices services, IdempotencyStore store, RecordId id, Runnable wake) {
        this.services = services;
        this.wake = wake;
        this.subscription = store.signals().orElseGet(SettlementSignals::none).listen(id, wake);
    }

    /**
     * Only the call whose turn it is sets it.
     *
     * @throws java.util.concurrent.RejectedExecutionException while the application shuts down
     */
    @Override
    public void set(StoredRecord record) {
        Polls now = subscription.live() ? RARE : QUICK;
        if (now != polls) {
            polls = now;
            poll = now.first();
        }
        double jitter = services.jitter().getAsDouble();
        long polled = (long) (poll.toNanos() * (0.5 + jitter / 2));
        long leaseOver = record.remainingLease().toNanos() + (long) (AFTER_LEASE.toNanos() * jitter);
        cancel = services.timer().after(Duration.ofNanos(Math.min(polled, leaseOver)), () -> {
            poll = shorter(poll.multipliedBy(2), now.longest());
            wake.run();
        });
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void off() {
        cancel.run();
    }

    @Override
    public void close() {
        off();
        subscription.close();
    }
}
