package io.idempotency.runtime.simulation;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One call of the operation, always with the same key, and rarely with other arguments. */
final class Caller {

    private static final String ARGUMENTS = "1:arguments";

    private final World world;
    private final String name;
    private final Node node;
    private final Plan.Ending ending;
    private final Duration takes;
    private final boolean leaves;
    private final String arguments;
    private @Nullable Told told;
    private boolean ran;
    private long calledNanos;

    Caller(World world, String name, Node node, Plan.Ending ending, Duration takes, boolean leaves, String arguments) {
        this.world = world;
        this.name = name;
        this.node = node;
        this.ending = ending;
        this.takes = takes;
        this.leaves = leaves;
        this.arguments = arguments;
    }

    /** As the plan says. */
    static void arrives(World world, String name, Duration delay) {
        boolean leaves = world.dice.chance(0.1);
        boolean others = world.dice.chance(0.1);
        Plan.Ending ending = others ? Plan.Ending.RETURNS : world.plan.body();
        String arguments = others ? "1:others" : ARGUMENTS;
        Caller caller = new Caller(world, name, world.anyNode(), ending, world.plan.bodyTakes(), leaves, arguments);
        world.time.after(delay, caller.node, caller::call);
    }

    /** Finds out how things stand, with the record's arguments, and runs a body that simply returns when it may. */
    static Caller probes(World world, String name, Node node) {
        String arguments = world.store.record().map(StoredRecord::fingerprint).orElse(ARGUMENTS);
        Caller caller = new Caller(world, name, node, Plan.Ending.RETURNS, Duration.ZERO, false, arguments);
        world.time.after(Duration.ZERO, node, caller::call);
        return caller;
    }

    private void call() {
        world.trace(() -> this + " calls");
        world.witness.expects(this);
        calledNanos = world.time.nanos();
        Invocation call = new Invocation(
                node.operation(),
                SharedStore.ID,
                CallFingerprint.only(arguments),
                new Body(world, this),
                new Reconciler(world, node));
        try {
            if (world.plan.mode() == Plan.Mode.BLOCKING_CALLER) {
                tell(Told.of(node.engine.execute(call)));
            } else {
                answered(call)
                        .whenComplete(
                                (outcome, failure) -> tell(failure == null ? Told.of(outcome) : Told.of(failure)));
            }
        } catch (Throwable e) { // a caller is told whatever is thrown
            tell(Told.of(e));
        }
    }

    private CompletionStage<Outcome> answered(Invocation call) {
        if (!leaves) {
            return node.engine.executeAsync(call);
        }
        CompletableFuture<Void> gone = new CompletableFuture<>();
        world.time.after(world.dice.leases(0, 2), node, () -> gone.complete(null));
        return node.engine.executeAsync(call, gone);
    }

    private void tell(Told what) {
        if (node.gone()) {
            return; // the answer does not leave it
        }
        world.trace(() -> this + " is told " + what);
        if (told != null) {
            world.witness.broken(this + " is told twice");
        }
        told = what;
        world.witness.hears(this, what);
    }

    @Nullable
    Told told() {
        return told;
    }

    Node node() {
        return node;
    }

    Plan.Ending ending() {
        return ending;
    }

    String arguments() {
        return arguments;
    }

    Duration takes() {
        return takes;
    }

    long calledNanos() {
        return calledNanos;
    }

    /** No message travels in no time. */
    boolean toldAtOnce() {
        return world.time.nanos() == calledNanos;
    }

    /** Without the time in which threads start and messages travel. */
    Duration waited() {
        return Duration.ofNanos(world.time.nanos() - calledNanos).minusSeconds(1);
    }

    /** Its body has begun. */
    void runs() {
        ran = true;
    }

    boolean ran() {
        return ran;
    }

    @Override
    public String toString() {
        return name + "@" + node;
    }
}
