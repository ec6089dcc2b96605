package io.idempotency.runtime.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What one call holds until it is over: its place among those in flight, its turn among its duplicates, the renewal of its
 * lease, and what this JVM knows of its claim. This is their only owner, and closing it gives all of them back, once, however the call ended. Thread-safe.
 */
final class CallScope implements AutoCloseable {

    private enum State {
        /** Nothing of the application runs yet. */
        OPEN,
        /** The body, or its reconciler, has begun: only its end closes the call. */
        RUNNING,
        CLOSED
    }

    private final InFlightGate gate;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile @Nullable LeaseRenewal renewal;
    private volatile @Nullable Runnable ending;
    private volatile @Nullable Runnable turn;

    CallScope(InFlightGate gate) {
        this.gate = gate;
    }

    /** Takes a place among those that claim or run; false when the application shuts down. */
    boolean enter(boolean nested) {
        if (state.get() == State.CLOSED || !gate.enter(nested)) {
            return false;
        }
        inside.set(true);
        return true;
    }

    void leave() {
        if (inside.getAndSet(false)) {
            gate.leave();
        }
    }

    /** From now on the turn is passed on when the call is over. */
    void holds(Runnable passTurn) {
        turn = passTurn;
    }

    /** From now on the renewal is stopped when the call is over, and this JVM is told that it is. */
    void holds(LeaseRenewal lease, Runnable claimEnds) {
        renewal = lease;
        ending = claimEnds;
    }

    /** From now on somebody else stops the renewal: the outcome has still to be recorded. */
    void handOverRenewal() {
        renewal = null;
    }

    /** Whether the body may begin. Not when the call has ended because it could not be started properly. */
    boolean begin() {
        return state.compareAndSet(State.OPEN, State.RUNNING);
    }

    /** Starting failed on this thread; another one may have begun all the same, and then its end closes the call. */
    void abort() {
        if (state.compareAndSet(State.OPEN, State.CLOSED)) {
            giveBack();
        }
    }

    @Override
    public void close() {
        state.set(State.CLOSED);
        giveBack();
    }

    /** The renewal first: it is the one that others cannot see. Each of them whatever becomes of the others. */
    private void giveBack() {
        try {
            LeaseRenewal lease = renewal;
            if (lease != null) {
                lease.stop();
            }
        } finally {
            try {
                run(ending);
                leave();
            } finally {
                run(turn);
            }
        }
    }

    private static void run(@Nullable Runnable held) {
        if (held != null) {
            held.run();
        }
    }
}
