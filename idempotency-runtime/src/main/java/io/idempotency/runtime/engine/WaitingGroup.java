package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The duplicates of one call in this JVM, from the first that arrives to the last that leaves. Thread-safe. */
final class WaitingGroup {

    private static final Polls QUICK = new Polls(Duration.ofMillis(10), Duration.ofMillis(250));

    /** The polls while the store's signals arrive. */
    private static final Polls RARE = new Polls(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** The longest delay after a lease, so that the waiters of several JVMs do not all ask in the same millisecond. */
    private static final Duration AFTER_LEASE = Duration.ofMillis(25);

    private record Polls(Duration first, Duration longest) {}

    private final Waiting all;
    private final Waiting.Key key;

    /** The waiting calls in the order of their arrival. Guarded by {@code this}, as are the following. */
    private final Set<Seat> waiting = new LinkedHashSet<>();

    private @Nullable Seat holder;
    private @Nullable Subscription subscription;
    private @Nullable StoredRecord seen;
    private Polls polls = QUICK;
    private Duration poll = QUICK.first();
    private long pollAtNanos;

    /** Whether the call that has the turn must ask the store now. */
    private boolean woken = true;

    private boolean takeOver = true;
    private boolean fresh = true;
    private boolean gone;

    WaitingGroup(Waiting all, Waiting.Key key) {
        this.all = all;
        this.key = key;
    }

    /** Takes a seat; returns null when the group has just ended. */
    synchronized @Nullable Seat join(Duration limit) {
        if (gone) {
            return null;
        }
        int most = all.services.maxWaitersPerKey();
        Seat seat = new Seat(this, all.services.time().nanos() + limit.toNanos());
        if (holder == null && waiting.isEmpty()) {
            holder = seat;
        } else if (holder != null && Thread.currentThread().equals(holder.bodysThread)) {
            seat.told = new Waiting.Turn.Told(Refusals::nested);
        } else if (waiting() >= most) {
            seat.told = new Waiting.Turn.Told(call -> Refusals.tooManyWait(call, most));
        } else {
            waiting.add(seat);
        }
        return seat;
    }

    synchronized int waiting() {
        return waiting.size() + (holder != null && holder.sleeps ? 1 : 0);
    }

    synchronized void wake() {
        woken = true;
        wakeNext();
    }

    /** Wakes the call that has the turn, or else the next one. A call that is awake looks again by itself. */
    private void wakeNext() {
        if (holder != null) {
            holder.wake();
        } else if (!waiting.isEmpty()) {
            waiting.iterator().next().wake();
        }
    }

    synchronized void wakeEach() {
        waiting.forEach(Seat::wake);
        wakeNext();
    }

    /** Removes a call. Ends the group after its last one; {@link #closeIfGone} has to follow, outside the lock. */
    private void remove(Seat seat) {
        waiting.remove(seat);
        holder = holder == seat ? null : holder;
        if (holder == null) {
            wakeNext(); // the removed call may have been woken to take the turn
            gone = waiting.isEmpty();
        }
        if (gone) {
            all.groups.remove(key, this);
        }
    }

    private void closeIfGone() {
        Subscription last = null;
        synchronized (this) {
            if (gone) {
                last = subscription;
                subscription = null;
            }
        }
        if (last != null) {
            last.close();
        }
        all.completeIfEnded();
    }

    /** One call's place among the calls of its key. Used by the call's thread; any thread may make it leave. */
    static final class Seat implements AutoCloseable {
        private final WaitingGroup group;
        private final long deadlineNanos;

        /** Guarded by the group, as are the following. */
        private Waiting.@Nullable Turn told;

        /** Assigned by the call's own thread, as is the next. */
        private CompletableFuture<@Nullable Void> signal = new CompletableFuture<>();

        private long sleepUntil;
        private boolean sleeps;

        /** Whether the call has claimed or slept: with the turn it claims once even when its time is over. */
        private boolean begun;

        private boolean leaving;
        private @Nullable Thread bodysThread;

        private Seat(WaitingGroup group, long deadlineNanos) {
            this.group = group;
            this.deadlineNanos = deadlineNanos;
        }

        private void wake() {
            signal.complete(null);
        }

        /**
         * Sleeps until there is something for the call to do, and returns that.
         *
         * @throws InterruptedException when the thread is interrupted while it sleeps
         */
        Waiting.Turn next() throws InterruptedException {
            ElapsedTime time = group.all.services.time();
            while (true) {
                Waiting.Turn turn = tryNext();
                if (turn != null) {
                    return turn;
                }
                time.await(signal, sleepUntil - time.nanos());
            }
        }

        /** Returns what the call does now; null when it has to sleep. */
        private Waiting.@Nullable Turn tryNext() {
            synchronized (group) {
                sleeps = false;
                long now = group.all.services.time().nanos();
                Function<Invocation, Outcome> over = over(now);
                if (told != null) {
                    return told;
                } else if ((over == null || !begun && !leaving)
                        && takesTurn()
                        && (group.woken || now - group.pollAtNanos >= 0)) {
                    return claim();
                } else if (over != null) {
                    group.remove(this);
                    StoredRecord seen = group.seen; // null when the body runs in this JVM
                    return new Waiting.Turn.Told(seen == null ? over : call -> Refusals.inProgress(call, seen));
                }
                begun = true;
                sleeps = true;
                signal = new CompletableFuture<>();
                boolean polls = group.holder == this && group.pollAtNanos - deadlineNanos < 0;
                sleepUntil = polls ? group.pollAtNanos : deadlineNanos;
                return null;
            }
        }

        /** Returns the answer of a call that must not wait any longer; null when it may. */
        private @Nullable Function<Invocation, Outcome> over(long now) {
            if (now - deadlineNanos >= 0) {
                return call ->
                        Refusals.runningHere(call, call.operation().policy().waitTimeout());
            }
            return leaving ? Refusals::noLongerWaiting : group.all.over;
        }

        private boolean takesTurn() {
            if (group.holder == null) {
                group.holder = this;
                group.waiting.remove(this);
            }
            return group.holder == this;
        }

        private Waiting.Turn claim() {
            Waiting.Turn claim = new Waiting.Turn.Claim(group.takeOver, group.fresh);
            if (!group.woken) { // the poll was due
                Duration doubled = group.poll.multipliedBy(2);
                group.poll = doubled.compareTo(group.polls.longest()) < 0 ? doubled : group.polls.longest();
            }
            begun = true;
            group.woken = false;
            group.takeOver = true;
            group.fresh = false;
            group.seen = null;
            return claim;
        }

        /** Sets the thread on which the body runs; null when it has ended. */
        void bodyOn(@Nullable Thread thread) {
            synchronized (group) {
                bodysThread = thread;
            }
        }

        /** Keeps the turn because the key is in progress elsewhere: the call sleeps, and then asks again. */
        void busy(StoredRecord record) {
            Subscription subscription = subscribed();
            synchronized (group) {
                Polls polls = subscription.live() ? RARE : QUICK;
                if (polls != group.polls) {
                    group.polls = polls;
                    group.poll = polls.first();
                }
                double jitter = group.all.services.jitter().getAsDouble();
                long polled = (long) (group.poll.toNanos() * (0.5 + jitter / 2));
                long lease = record.remainingLease().toNanos();
                long leaseOver = lease == 0 ? polled : lease + (long) (AFTER_LEASE.toNanos() * jitter);
                group.pollAtNanos = group.all.services.time().nanos() + Math.min(polled, leaseOver);
                group.seen = record;
            }
        }

        /** Subscribes to the store's signals once for the group. A signal during that makes the call claim again. */
        private Subscription subscribed() {
            Subscription there = group.subscription;
            if (there == null) {
                SettlementSignals signals = group.key.store().signals().orElseGet(SettlementSignals::none);
                there = signals.listen(group.key.id(), group::wake);
                synchronized (group) {
                    group.subscription = there;
                }
            }
            return there;
        }

        /** Gives up the seat. If the call has the turn, the next one claims at once. Idempotent. */
        void pass(boolean takeOver) {
            synchronized (group) {
                if (group.holder == this) {
                    group.woken = true;
                    group.takeOver = takeOver;
                }
                group.remove(this);
            }
            group.closeIfGone();
        }

        /** Ends the turn and the group with an answer for all its calls. Does nothing without the turn. */
        void answer(Function<Invocation, Outcome> answer) {
            synchronized (group) {
                if (group.holder == this) {
                    group.waiting.forEach(other -> {
                        other.told = new Waiting.Turn.Told(answer);
                        other.wake();
                    });
                    group.waiting.clear();
                    group.remove(this);
                }
            }
            group.closeIfGone();
        }

        /** Stops waiting and wakes the call. A call that asks the store or runs its body keeps the turn. */
        void leave() {
            synchronized (group) {
                leaving = true;
                wake();
            }
        }

        @Override
        public void close() {
            pass(true);
        }
    }
}
