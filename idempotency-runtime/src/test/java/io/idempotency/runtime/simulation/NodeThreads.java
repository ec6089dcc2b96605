package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.Maintenance;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A node's threads: as many as there are tasks, each of which starts when the dice say so. */
final class NodeThreads implements Executor, Maintenance {

    private static final Duration SLOWEST_START = Duration.ofMillis(2);

    private final World world;
    private final Node node;

    NodeThreads(World world, Node node) {
        this.world = world;
        this.node = node;
    }

    @Override
    public void execute(Runnable task) {
        Fault fault = world.disturbances.at(Step.THREAD, node);
        if (node.closed() || node.refusesThreads() || fault == Fault.REQUEST_LOST) {
            refuse();
        }
        if (fault == Fault.ERROR) {
            throw new InjectedError();
        }
        Duration delay = fault == Fault.LATE_REPLY
                ? world.dice.leases(0.1, 2)
                : world.dice.between(Duration.ZERO, SLOWEST_START);
        world.time.after(delay, node, task);
        if (fault == Fault.REPLY_LOST || fault == Fault.DUPLICATE) {
            refuse(); // although it has taken it
        }
    }

    private void refuse() {
        if (node.closed() || world.dice.chance(0.5)) {
            throw new RejectedExecutionException("full");
        }
        throw new InjectedError();
    }

    /** The library's own threads, which take everything until they are closed, and may be late. */
    @Override
    public void after(IdempotencyStore store, Duration delay, Runnable task) {
        Fault fault = world.disturbances.at(Step.TIMER, node);
        if (node.closed()) {
            throw new RejectedExecutionException("closed");
        }
        boolean late = fault == Fault.LATE_REPLY || fault == Fault.REQUEST_LOST || fault == Fault.REPLY_LOST;
        world.time.after(delay.plus(late ? world.dice.leases(0.1, 1) : Duration.ZERO), node, () -> {
            if (!node.closed()) {
                task.run();
            }
        });
    }
}
