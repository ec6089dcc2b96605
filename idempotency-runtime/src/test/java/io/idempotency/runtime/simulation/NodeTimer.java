package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.DelayTimer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/** A node's timer, which may have no memory for another delay, or be late. */
final class NodeTimer implements DelayTimer {

    private final World world;
    private final Node node;

    NodeTimer(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        return world.time.after(delay.plus(lateness()), node, () -> {
            if (!node.closed()) {
                task.run();
            }
        })::cancel;
    }

    @Override
    public Runnable every(Duration period, BooleanSupplier task) {
        Repeated repeated = new Repeated(period, task);
        repeated.next(lateness());
        return repeated::cancel;
    }

    /** Every use of the timer is a step. */
    private Duration lateness() {
        Fault fault = world.disturbances.at(Step.TIMER, node);
        if (node.closed()) {
            throw new RejectedExecutionException("the timer is closed");
        }
        if (fault == Fault.ERROR) {
            throw new InjectedError();
        }
        boolean late = fault == Fault.LATE_REPLY || fault == Fault.REQUEST_LOST || fault == Fault.REPLY_LOST;
        return late ? world.dice.leases(0.1, 1) : Duration.ZERO;
    }

    /** What the task throws does not end it. */
    private final class Repeated {
        private final Duration period;
        private final BooleanSupplier task;
        private boolean cancelled;
        private Timeline.Event event;

        Repeated(Duration period, BooleanSupplier task) {
            this.period = period;
            this.task = task;
        }

        void next(Duration late) {
            event = world.time.after(period.plus(late), node, this::run);
        }

        private void run() {
            boolean again = true;
            try {
                again = task.getAsBoolean();
            } finally {
                if (again && !cancelled && !node.closed()) {
                    next(Duration.ZERO);
                }
            }
        }

        void cancel() {
            cancelled = true;
            event.cancel();
        }
    }
}
