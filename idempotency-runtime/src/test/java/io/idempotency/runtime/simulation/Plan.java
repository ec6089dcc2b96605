package io.idempotency.runtime.simulation;

import io.idempotency.OnAbandoned;
import io.idempotency.WhenInProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a seed decides before anything happens. Consecutive seeds go through every pair of step and fault, and make the rest
 * so that the step is likely to be reached.
 *
 * @param onAbandoned the policy
 * @param whenInProgress the policy
 * @param waitTimeout how long callers wait
 * @param mode how callers and store talk
 * @param body what the body does, unless something is done to it
 * @param bodyTakes how long
 * @param noise how likely it is that any other request meets a fault of the network
 * @param operator whether an operator looks after records in doubt
 * @param strikes what goes wrong
 */
record Plan(
        OnAbandoned onAbandoned,
        WhenInProgress whenInProgress,
        Duration waitTimeout,
        Mode mode,
        Ending body,
        Duration bodyTakes,
        double noise,
        boolean operator,
        List<Strike> strikes) {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofDays(1);

    /** How callers and store talk. */
    enum Mode {
        /** The store blocks, and callers do not. */
        BLOCKING_STORE,
        /** Everything blocks. */
        BLOCKING_CALLER
    }

    /** How a body ends. */
    enum Ending {
        RETURNS,
        /** For good. */
        FAILS,
        /** Without an effect. */
        NOTHING,
        /** Nobody can tell. */
        CUT_OFF,
        ERROR
    }

    /**
     * Something goes wrong once.
     *
     * @param step where
     * @param occurrence at the first time, or a later one, counted from 1
     * @param fault what
     */
    record Strike(Step step, int occurrence, Fault fault) {}

    static Duration leases(double count) {
        return Duration.ofNanos((long) (LEASE.toNanos() * count));
    }

    static Plan of(long seed, Dice dice) {
        int pair = (int) Math.floorMod(seed, (long) Step.values().length * Fault.values().length);
        Step step = Step.values()[pair / Fault.values().length];
        Fault fault = Fault.values()[pair % Fault.values().length];
        List<Strike> strikes = new ArrayList<>();
        prepare(step, dice, strikes);
        strikes.add(new Strike(step, dice.of(1, 1, 1, 2, 3), fault));
        Mode mode = dice.of(Mode.values());
        return new Plan(
                step == Step.RECONCILE
                        ? OnAbandoned.RECONCILE
                        : step == Step.RESOLVE ? OnAbandoned.REFUSE : dice.of(OnAbandoned.values()),
                step == Step.LISTEN ? WhenInProgress.WAIT : dice.of(WhenInProgress.values()),
                dice.of(leases(0.2), leases(4)),
                mode,
                ending(step, dice),
                step == Step.RENEW || step == Step.LISTEN ? dice.leases(1, 4) : takes(dice),
                dice.of(0.0, 0.0, 0.03, 0.2),
                step == Step.RESOLVE || dice.chance(0.3),
                List.copyOf(strikes));
    }

    /** What has to go wrong before, so that the step is taken at all. */
    private static void prepare(Step step, Dice dice, List<Strike> strikes) {
        switch (step) {
            case FIND ->
                strikes.add(new Strike(
                        Step.CLAIM, 1, dice.of(Fault.REPLY_LOST, Fault.LATE_REPLY, Fault.REQUEST_LOST, Fault.ERROR)));
            case RECONCILE, RESOLVE ->
                strikes.add(new Strike(dice.of(Step.BODY, Step.BODY_END), 1, dice.of(Fault.PAUSE, Fault.CRASH)));
            default -> {
                if (dice.chance(0.2)) {
                    strikes.add(new Strike(dice.of(Step.values()), 1, dice.of(Fault.values())));
                }
            }
        }
    }

    private static Ending ending(Step step, Dice dice) {
        return switch (step) {
            case FAIL -> Ending.FAILS;
            case RELEASE -> Ending.NOTHING;
            case DOUBT -> dice.of(Ending.CUT_OFF, Ending.ERROR);
            case COMPLETE, ENCODE -> Ending.RETURNS;
            default -> dice.of(Ending.RETURNS, Ending.RETURNS, Ending.values()[dice.below(Ending.values().length)]);
        };
    }

    private static Duration takes(Dice dice) {
        return dice.of(Duration.ZERO, dice.leases(0, 0.1), dice.leases(0.1, 1.5), dice.leases(1, 4));
    }
}
