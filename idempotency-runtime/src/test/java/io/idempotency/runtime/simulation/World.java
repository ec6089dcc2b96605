package io.idempotency.runtime.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Everything there is in one run. */
final class World {

    private static final Duration SHORTEST_LATENCY = Duration.ofMillis(1);
    private static final Duration LONGEST_LATENCY = Duration.ofMillis(20);

    final Sabotage sabotage;
    final Dice dice;
    final Plan plan;
    final Witness witness;
    final Timeline time;
    final Disturbances disturbances;
    final SharedStore store;
    final List<Node> nodes = new ArrayList<>();
    final List<String> trace = new ArrayList<>();
    private final boolean traced;
    private int tokens;

    /**
     * A run that has not begun.
     *
     * @param seed decides everything
     * @param sabotage what is broken
     * @param traced whether what happens is written down
     */
    World(long seed, Sabotage sabotage, boolean traced) {
        this(new Dice(seed), dice -> Plan.of(seed, dice), Timeline::new, sabotage, traced);
    }

    /**
     * A run that has not begun, in which every order of what happens at the same time is a choice of its own.
     *
     * @param choices decide everything that the plan leaves open
     * @param plan what goes wrong
     * @param sabotage what is broken
     * @param traced whether what happens is written down
     */
    World(Schedules.Choices choices, Plan plan, Sabotage sabotage, boolean traced) {
        this(choices, dice -> plan, escaped -> new Timeline(escaped, choices::next), sabotage, traced);
    }

    private World(
            Dice dice,
            Function<Dice, Plan> plan,
            Function<Consumer<Throwable>, Timeline> time,
            Sabotage sabotage,
            boolean traced) {
        this.sabotage = sabotage;
        this.traced = traced;
        this.dice = dice;
        this.plan = plan.apply(dice);
        this.witness = new Witness(this);
        this.time = time.apply(witness::escaped);
        this.disturbances = new Disturbances(this);
        this.store = new SharedStore(this);
        nodes.add(new Node(this, "A"));
        nodes.add(new Node(this, "B"));
    }

    String token() {
        return "owner-" + ++tokens;
    }

    Duration latency() {
        return dice.between(SHORTEST_LATENCY, LONGEST_LATENCY);
    }

    Node anyNode() {
        return nodes.get(dice.below(nodes.size()));
    }

    void trace(Supplier<String> what) {
        if (traced) {
            trace.add("%9.3f s  %s".formatted(time.nanos() / 1e9, what.get()));
        }
    }
}
