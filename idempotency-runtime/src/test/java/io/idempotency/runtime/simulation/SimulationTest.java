package io.idempotency.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.engine.SteppedTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The engine as it is, in a world made of dice: whatever goes wrong at whatever step, its promises are kept. Runs are numbered
 * by their seeds. One run, with what happened in it: {@code -Didempotency.simulation.seed=4711}. More of them:
 * {@code -Didempotency.simulation.seeds=10000000}, and others with {@code -Didempotency.simulation.from=100000}.
 */
@Timeout(value = 7, unit = TimeUnit.DAYS) // it is run for hours, too
class SimulationTest {

    private static final String SEED = "idempotency.simulation.seed";
    private static final long SEEDS =
            Long.getLong("idempotency.simulation.seeds", Long.getLong("simulated.seeds", 100_000));
    private static final long FROM = Long.getLong("idempotency.simulation.from", 0);

    /** So many runs reach every pair of step and fault several times. */
    private static final long ENOUGH_FOR_ALL_PAIRS = 20_000;

    private static Silence silence;

    @BeforeAll
    static void beSilent() {
        silence = new Silence();
    }

    @AfterAll
    static void speak() {
        silence.close();
    }

    /** How often each fault struck each step, and each policy. */
    private static final class Coverage {
        private final Map<Step, Map<Fault, Integer>> steps = new EnumMap<>(Step.class);
        private final Map<OnAbandoned, Map<Fault, Integer>> policies = new EnumMap<>(OnAbandoned.class);

        void add(Simulation.Report report) {
            for (Plan.Strike strike : report.struck()) {
                count(steps, strike.step(), strike.fault());
                count(policies, report.plan().onAbandoned(), strike.fault());
            }
        }

        private static <K extends Enum<K>> void count(Map<K, Map<Fault, Integer>> counts, K key, Fault fault) {
            counts.computeIfAbsent(key, first -> new EnumMap<>(Fault.class)).merge(fault, 1, Integer::sum);
        }

        void isComplete() {
            assertThat(steps).containsOnlyKeys(Step.values());
            assertThat(steps.values()).allSatisfy(faults -> assertThat(faults).containsOnlyKeys(Fault.values()));
            assertThat(policies).containsOnlyKeys(OnAbandoned.values());
            assertThat(policies.values())
                    .allSatisfy(faults -> assertThat(faults).containsOnlyKeys(Fault.values()));
        }
    }

    @Test
    void everyPromiseIsKeptWhateverGoesWrongAtWhateverStep() {
        Long one = Long.getLong(SEED);
        if (one != null) {
            replay(one);
            return;
        }
        System.out.println("Simulated runs: seeds " + FROM + " to " + (FROM + SEEDS - 1));
        Coverage coverage = new Coverage();
        SteppedTime.onSuchAThread(() -> {
            for (long seed = FROM; seed < FROM + SEEDS; seed++) {
                Simulation.Report report = Simulation.run(seed, Sabotage.NONE, false);
                if (!report.broken().isEmpty()) {
                    replay(seed);
                }
                coverage.add(report);
            }
        });
        if (SEEDS >= ENOUGH_FOR_ALL_PAIRS) {
            coverage.isComplete();
        }
    }

    /** A caller that came after the shutdown had ended, and before its process did, was taken for one that was forgotten. */
    @Test
    void aCallerAfterTheShutdownIsNotWaitedFor() {
        replay(1_544_795);
    }

    private static void replay(long seed) {
        Simulation.Report report = Simulation.run(seed, Sabotage.NONE, true);
        String told = report.plan() + "\n" + String.join("\n", report.trace());
        System.out.println(told);
        if (!report.broken().isEmpty()) {
            fail("Seed " + seed + " (again with -D" + SEED + "=" + seed + "): " + report.broken() + "\n" + told);
        }
    }

    @Test
    void aSeedReplaysItsRun() {
        for (long seed = FROM; seed < FROM + 500; seed++) {
            assertThat(Simulation.run(seed, Sabotage.NONE, true)).isEqualTo(Simulation.run(seed, Sabotage.NONE, true));
        }
    }
}
