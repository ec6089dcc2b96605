package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One run: callers on two nodes while something goes wrong, and then calm, in which every promise is looked at. */
final class Simulation {

    private static final Duration CALM = Duration.ofHours(1);

    /** Also where the store's clock was set back. */
    private static final Duration LEASES_END = Plan.leases(5);

    private final World world;

    private Simulation(World world) {
        this.world = world;
    }

    /**
     * What came of a run.
     *
     * @param plan what was planned
     * @param struck what did go wrong
     * @param broken the promises that were not kept
     * @param events how much happened
     * @param trace what happened, where that was asked for
     */
    record Report(Plan plan, Set<Plan.Strike> struck, List<String> broken, int events, List<String> trace) {}

    static Report run(long seed, Sabotage sabotage, boolean traced) {
        World world = new World(seed, sabotage, traced);
        Duration spread = world.dice.of(Duration.ZERO, Duration.ofMillis(50), Plan.leases(1), Plan.leases(3));
        return run(world, 3, () -> world.dice.between(Duration.ZERO, spread));
    }

    /**
     * Runs a world to its end.
     *
     * @param world has not begun
     * @param callers how many
     * @param arrival when the next one calls
     */
    static Report run(World world, int callers, Supplier<Duration> arrival) {
        try {
            new Simulation(world).run(callers, arrival);
        } finally {
            world.time.close();
        }
        return new Report(
                world.plan, world.disturbances.struck(), world.witness.broken(), world.time.happened(), world.trace);
    }

    private void run(int callers, Supplier<Duration> arrival) {
        for (int i = 1; i <= callers; i++) {
            Caller.arrives(world, "caller " + i, arrival.get());
        }
        if (world.plan.operator()) {
            world.time.after(world.dice.leases(1, 4), null, this::operate);
        }
        calm();
        liveOwnersKeptTheirLeases();
        if (world.nodes.stream().noneMatch(Node::alive)) {
            world.nodes.add(new Node(world, "C"));
        }
        probe("a late caller");
        if (world.plan.operator() && inDoubt()) {
            operate();
            calm();
            if (inDoubt()) {
                world.witness.broken("an operator's word is ignored");
            }
            probe("a caller after the operator");
        }
        if (world.disturbances.struck().stream().anyMatch(strike -> strike.fault() == Fault.PURGE)) {
            live();
        }
        nothingIsLeft();
    }

    private void calm() {
        if (!world.time.rest()) {
            world.witness.broken("it does not come to rest: something is done for nobody");
        }
        world.time.pass(LEASES_END);
        world.disturbances.end();
        world.nodes.forEach(Node::mend);
        for (Node node : world.nodes) {
            long untold = world.witness.untold(node).count();
            if (!node.gone() && untold > 0) {
                world.witness.broken(untold + " callers of " + node + " hang");
            }
        }
    }

    private void probe(String name) {
        for (Node node : List.copyOf(world.nodes)) {
            if (node.alive()) {
                Caller caller = Caller.probes(world, name, node);
                calm();
                Told told = caller.told();
                if (told != null && (told.kind() == Told.Kind.BUSY || told.kind() == Told.Kind.NOT_RUN)) {
                    world.witness.broken(caller + " is told " + told + " although nothing happens any more");
                }
            }
        }
        if (state().filter(RecordState.IN_PROGRESS::equals).isPresent()) {
            world.witness.broken("the record is in progress although nothing happens any more");
        }
    }

    private Optional<RecordState> state() {
        return world.store.record().map(StoredRecord::state);
    }

    private boolean inDoubt() {
        return state().filter(RecordState.IN_DOUBT::equals).isPresent();
    }

    /** An operator knows what happened, and settles a record in doubt by that. */
    private void operate() {
        Optional<Node> node = world.nodes.stream().filter(Node::alive).findFirst();
        Optional<StoredRecord> record = world.store.record();
        if (node.isEmpty() || record.isEmpty() || record.get().state() != RecordState.IN_DOUBT) {
            return;
        }
        Resolution resolution = resolution();
        world.trace(() -> "the operator decides " + resolution);
        if (resolution instanceof Resolution.Forget) {
            world.witness.forgotten();
        }
        try {
            node.get()
                    .operation()
                    .store()
                    .resolve(SharedStore.ID, record.get().fence(), resolution, new AuditNote("seen", Plan.RETENTION));
        } catch (UncheckedIOException | InjectedError e) {
            world.trace(() -> "the operator is told " + e.getMessage()); // and decides again later
        }
    }

    private Resolution resolution() {
        String effect = world.witness.effect();
        if (effect == null) {
            return new Resolution.Forget();
        }
        Told told = world.witness.agreed();
        boolean failed =
                told == null ? world.witness.lastEnding() == Plan.Ending.FAILS : told.kind() == Told.Kind.FAILED;
        String value = told == null ? effect : told.value();
        return failed
                ? new Resolution.Fail(new StoredFailure("IllegalStateException", null, null), Plan.RETENTION)
                : new Resolution.Complete(
                        new StoredResult.Present(value.getBytes(StandardCharsets.UTF_8)), Plan.RETENTION);
    }

    /** With nothing but an Error in a renewal, or not even that, nobody loses a lease whose body runs. */
    private void liveOwnersKeptTheirLeases() {
        boolean quiet = world.plan.noise() == 0
                && (world.plan.body() == Plan.Ending.RETURNS || world.plan.body() == Plan.Ending.FAILS)
                && world.disturbances.struck().stream()
                        .allMatch(strike -> strike.step() == Step.RENEW && strike.fault() == Fault.ERROR);
        if (quiet && (world.witness.unknownTold() || world.witness.bodies() > 1)) {
            world.witness.broken("an owner lost its lease although it was alive, and so was the store");
        }
    }

    /** After the retention the key is as new, but for its fence. */
    private void live() {
        world.time.pass(Plan.RETENTION.plus(Plan.leases(10)));
        world.store.purge();
        world.witness.newLife();
        probe("a caller of the next day");
        if (world.witness.bodies() != 1) {
            world.witness.broken("after the retention " + world.witness.bodies() + " bodies ran");
        }
    }

    private void nothingIsLeft() {
        for (Node node : world.nodes) {
            if (node.alive()) {
                if (node.engine.running() != 0) {
                    world.witness.broken(node.engine.running() + " calls are in flight on " + node);
                }
                CompletableFuture<IdempotencyEngine.Left> left = new CompletableFuture<>();
                world.time.after(Duration.ZERO, node, () -> left.complete(node.engine.shutDown(CALM)));
                world.time.rest();
                if (!left.isDone()) {
                    world.witness.broken("the shutdown of " + node + " waits for something");
                } else if (left.join().untold() != 0) {
                    world.witness.broken(node + " has told the store not everything: " + left.join());
                }
            }
        }
        if (world.store.listening() != 0) {
            world.witness.broken(world.store.listening() + " listen to the store for nobody");
        }
    }
}
