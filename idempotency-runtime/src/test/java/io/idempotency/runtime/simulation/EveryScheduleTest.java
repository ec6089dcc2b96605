package io.idempotency.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.idempotency.OnAbandoned;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.engine.SteppedTime;
import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two callers of one key, on one node or on two, and one fault at any step that they take: every order in which that can happen is
 * run, but for those that cannot differ. Messages may overtake each other without limit; timers follow when no message is on its way. The build runs the default policies;
 * {@code -Didempotency.schedules=all} runs every policy and every end of the body, millions of schedules.
 */
@Tag("thorough")
@Timeout(value = 7, unit = TimeUnit.DAYS) // it is run for hours, too
class EveryScheduleTest {

    private static final boolean ALL = "all".equals(System.getProperty("idempotency.schedules"));

    private static Silence silence;

    @BeforeAll
    static void beSilent() {
        silence = new Silence();
    }

    @AfterAll
    static void speak() {
        silence.close();
    }

    static Stream<Plan> plans() {
        return Stream.of(OnAbandoned.values())
                .flatMap(onAbandoned -> Stream.of(WhenInProgress.values())
                        .flatMap(whenInProgress -> Stream.of(Plan.Ending.values())
                                .map(ending -> plan(onAbandoned, whenInProgress, ending, List.of()))))
                .filter(plan -> ALL
                        || plan.onAbandoned() == OnAbandoned.REFUSE
                                && plan.whenInProgress() == WhenInProgress.REJECT
                                && plan.body() == Plan.Ending.RETURNS);
    }

    private static Plan plan(
            OnAbandoned onAbandoned, WhenInProgress whenInProgress, Plan.Ending ending, List<Plan.Strike> strikes) {
        return new Plan(
                onAbandoned,
                whenInProgress,
                Plan.leases(0.2),
                Plan.Mode.BLOCKING_CALLER,
                ending,
                Duration.ZERO,
                0,
                false,
                strikes);
    }

    /** How often each step is taken at most, and how many schedules there are. */
    private static final class Explored {
        private final Map<Step, Integer> steps = new HashMap<>();
        private long schedules;
    }

    private static Explored explore(Plan plan, Sabotage sabotage) {
        Explored explored = new Explored();
        SteppedTime.onSuchAThread(() -> explored.schedules = Schedules.all(true, choices -> {
            World world = world(choices, plan, sabotage, false);
            Simulation.Report report = Simulation.run(world, 2, () -> Duration.ZERO);
            world.disturbances.reached().forEach((step, times) -> explored.steps.merge(step, times, Math::max));
            if (!choices.repeats() && !report.broken().isEmpty()) {
                choices.again();
                Simulation.Report traced = Simulation.run(world(choices, plan, sabotage, true), 2, () -> Duration.ZERO);
                fail(plan + ": " + report.broken() + "\n" + String.join("\n", traced.trace()));
            }
        }));
        return explored;
    }

    /** The nodes are alike: so the first caller is at the first one. */
    private static World world(Schedules.Choices choices, Plan plan, Sabotage sabotage, boolean traced) {
        World world = new World(choices, plan, sabotage, traced);
        choices.firstIsSettled();
        return world;
    }

    @ParameterizedTest
    @MethodSource("plans")
    void everyPromiseIsKeptInEverySchedule(Plan calm) {
        Explored undisturbed = explore(calm, Sabotage.NONE);
        long schedules = undisturbed.schedules;
        for (Step step : undisturbed.steps.keySet()) {
            for (int occurrence = 1; occurrence <= undisturbed.steps.get(step); occurrence++) {
                for (Fault fault : faults(step)) {
                    List<Plan.Strike> strike = List.of(new Plan.Strike(step, occurrence, fault));
                    Plan plan = plan(calm.onAbandoned(), calm.whenInProgress(), calm.body(), strike);
                    schedules += explore(plan, Sabotage.NONE).schedules;
                }
            }
        }
        System.out.printf(
                "%s, %s, %s: %,d schedules%n", calm.onAbandoned(), calm.whenInProgress(), calm.body(), schedules);
        assertThat(schedules).isGreaterThan(10_000);
    }

    /** The negative control of what is left out: with it, and without it, callers are told the same. */
    @Test
    void ordersThatAreLeftOutMakeNoDifference() {
        Plan calm = plan(OnAbandoned.REFUSE, WhenInProgress.REJECT, Plan.Ending.RETURNS, List.of());
        Plan paused = plan(
                OnAbandoned.TAKE_OVER,
                WhenInProgress.REJECT,
                Plan.Ending.RETURNS,
                List.of(new Plan.Strike(Step.COMPLETE, 1, Fault.PAUSE)));
        for (Plan plan : ALL ? List.of(calm, paused) : List.of(calm)) {
            Set<List<String>> all = new HashSet<>();
            long schedules = answers(plan, false, all);
            Set<List<String>> reduced = new HashSet<>();
            assertThat(answers(plan, true, reduced)).isLessThan(schedules);
            assertThat(reduced).isEqualTo(all).hasSizeGreaterThan(1);
        }
    }

    private static long answers(Plan plan, boolean reduced, Set<List<String>> answers) {
        return Schedules.all(reduced, choices -> {
            World world = world(choices, plan, Sabotage.NONE, false);
            Simulation.run(world, 2, () -> Duration.ZERO);
            if (!choices.repeats()) {
                answers.add(world.witness.answers());
            }
        });
    }

    /** A body whose request comes twice has a third caller. */
    private static List<Fault> faults(Step step) {
        return Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.DUPLICATE || step != Step.BODY && step != Step.BODY_END)
                .toList();
    }

    @Test
    void aStoreThatGrantsWhatIsHeldIsFoundWithoutAnyFault() {
        Sabotage sabotage = new Sabotage() {
            @Override
            public IdempotencyStore store(IdempotencyStore honest) {
                return new BrokenStores.GrantsWhatIsHeld(honest);
            }
        };
        Plan calm = plan(OnAbandoned.REFUSE, WhenInProgress.REJECT, Plan.Ending.RETURNS, List.of());
        assertThatThrownBy(() -> explore(calm, sabotage)).hasMessageContaining("a second body has an effect");
    }
}
