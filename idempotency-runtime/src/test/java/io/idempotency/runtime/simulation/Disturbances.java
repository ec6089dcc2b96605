package io.idempotency.runtime.simulation;

import io.idempotency.runtime.simulation.Plan.Strike;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes go wrong what the plan says, and now and then a request more. */
final class Disturbances {

    private final World world;
    private final Map<Step, Integer> reached = new EnumMap<>(Step.class);
    private final Set<Strike> struck = new LinkedHashSet<>();
    private boolean over;

    Disturbances(World world) {
        this.world = world;
    }

    /** What did go wrong. */
    Set<Strike> struck() {
        return struck;
    }

    /** How often each step was taken. */
    Map<Step, Integer> reached() {
        return reached;
    }

    /** Nothing more goes wrong. */
    void end() {
        over = true;
    }

    /** A step is taken at a node. What concerns node or store happens now; what concerns the step is the caller's to do. */
    @Nullable
    Fault at(Step step, Node node) {
        if (over || node.gone()) {
            return null;
        }
        int occurrence = reached.merge(step, 1, Integer::sum);
        for (Strike strike : world.plan.strikes()) {
            if (strike.step() == step && !struck.contains(strike)) {
                world.dice.touch(this);
            }
            if (strike.step() == step && strike.occurrence() == occurrence && struck.add(strike)) {
                world.trace(() -> node + " " + step + " meets " + strike.fault());
                strike(strike.fault(), node);
                return strike.fault();
            }
        }
        return null;
    }

    /** A request that the plan says nothing of may meet a fault of the network all the same. */
    @Nullable
    Fault atRequest(Step step, Node node) {
        Fault fault = at(step, node);
        if (fault != null || over || !world.dice.chance(world.plan.noise())) {
            return fault;
        }
        Fault noise = world.dice.of(Fault.REQUEST_LOST, Fault.REPLY_LOST, Fault.LATE_REPLY, Fault.DUPLICATE);
        world.trace(() -> node + " " + step + " meets " + noise + " by chance");
        return noise;
    }

    private void strike(Fault fault, Node node) {
        switch (fault) {
            case CRASH -> node.crash();
            case PAUSE -> node.pause(world.dice.leases(1.1, 2.5));
            case PURGE -> world.store.purge();
            case STORE_RESTART -> world.store.restart(world.dice.leases(0.001, 2));
            case CLOCK_STEP ->
                world.store.stepClock(world.dice.of(world.dice.leases(0.1, 3), world.dice.leases(-3, -0.1)));
            case THREAD_REFUSED -> node.refuseThreads(world.dice.leases(0.001, 1));
            case SHUTDOWN -> node.shutDown(world.dice.leases(0.01, 1));
            case REQUEST_LOST, REPLY_LOST, LATE_REPLY, DUPLICATE, ERROR -> {}
        }
    }
}
