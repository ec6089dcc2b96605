package io.idempotency.runtime.simulation;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.RecordState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sees what callers are told and what bodies do, and says what must never be. */
final class Witness {

    private final World world;
    private final List<String> broken = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Map<String, Integer> renewedAfterwards = new HashMap<>();
    /** The value of each effect, and the arguments with which it was made. */
    private final Map<String, String> effects = new HashMap<>();

    private long highestFence;
    private int bodies;
    private @Nullable String effect;
    private Plan.@Nullable Ending lastEnding;
    private @Nullable Told agreed;
    private boolean unknownTold;
    private boolean forgotten;

    Witness(World world) {
        this.world = world;
    }

    /** The promises that were not kept, in the order in which that was seen. */
    List<String> broken() {
        return broken;
    }

    void broken(String what) {
        world.trace(() -> "BROKEN: " + what);
        broken.add(what);
    }

    void expects(Caller caller) {
        callers.add(caller);
    }

    /** What had an effect, if anything had. */
    @Nullable
    String effect() {
        return effect;
    }

    Plan.@Nullable Ending lastEnding() {
        return lastEnding;
    }

    @Nullable
    Told agreed() {
        return agreed;
    }

    void granted(String owner, long fence) {
        Long before = fences.put(owner, fence);
        if ((before == null || before != fence) && fence <= highestFence) {
            broken("fences rise: " + fence + " was granted after " + highestFence);
        }
        highestFence = Math.max(highestFence, fence);
    }

    /** The store has answered what became of a claim. */
    void settled(String owner) {
        renewedAfterwards.putIfAbsent(owner, 0);
    }

    /** One renewal may be on its way when the outcome is recorded, but not two. */
    void renews(String owner) {
        Integer times = renewedAfterwards.computeIfPresent(owner, (same, before) -> before + 1);
        if (times != null && times == 2) {
            broken("the claim of " + owner + " is renewed for nobody");
        }
    }

    /** The value that its effect has. */
    String bodyBegins(Caller caller, long fence, boolean hasEffect) {
        world.dice.touch(this);
        world.trace(() -> caller + "'s body begins under fence " + fence + (hasEffect ? "" : ", without an effect"));
        mayBegin();
        String value = "v" + (effects.size() + 1);
        if (hasEffect) {
            bodies++;
            effect = effect == null ? value : effect;
            effects.put(value, caller.arguments());
            lastEnding = null;
            if (bodies > 1 && world.plan.onAbandoned() != OnAbandoned.TAKE_OVER && leasesHold()) {
                broken("a second body has an effect");
            }
        }
        return value;
    }

    private void mayBegin() {
        if (agreed != null && leasesHold()) {
            broken("a body begins after its outcome was told: " + agreed);
        }
        if (refuses() && unknownTold && !forgotten && !world.store.stepped()) {
            broken("a body begins after somebody was told that its outcome is unknown");
        }
    }

    private boolean undisturbed() {
        return world.plan.noise() == 0 && world.disturbances.struck().isEmpty();
    }

    private boolean refuses() {
        return world.plan.onAbandoned() == OnAbandoned.REFUSE;
    }

    /** A lease that ends for the store before it does for its owner protects from no other owner. */
    private boolean leasesHold() {
        return refuses() || !world.store.steppedForward();
    }

    void bodyEnds(Plan.Ending ending) {
        world.dice.touch(this);
        lastEnding = ending;
    }

    void hears(Caller caller, Told told) {
        if (told.settled() || told.kind() == Told.Kind.UNKNOWN) {
            world.dice.touch(this);
        }
        boolean takesOver = world.plan.onAbandoned() == OnAbandoned.TAKE_OVER;
        boolean counts = told.recorded() || told.kind() == Told.Kind.VALUE && !takesOver;
        unknownTold = unknownTold || told.kind() == Told.Kind.UNKNOWN;
        if (told.settled() && counts) {
            agree(caller, told);
        }
        if (told.kind() == Told.Kind.VALUE && !caller.arguments().equals(effects.get(told.value()))) {
            broken(caller + " is told a result that no body had for its arguments: " + told);
        }
        if (told.kind() == Told.Kind.DEFECT) {
            broken(caller + " is told " + told);
        }
        if (undisturbed() && !caller.ran() && caller.waited().compareTo(world.plan.waitTimeout()) > 0) {
            broken(caller + " is told only after " + caller.waited());
        }
        if (told.kind() == Told.Kind.BUSY && caller.toldAtOnce() && !inProgress()) {
            broken(caller + " is told from memory that the operation is in progress, and the store knows better");
        }
        boolean idle = told.kind() == Told.Kind.NOT_RUN || told.kind() == Told.Kind.BUSY;
        if (told.here() && !caller.ran() || idle && caller.ran()) {
            broken(caller + " is told wrongly whether its body ran: " + told);
        }
    }

    /** Where the store's clock was set forward, it has its own opinion of leases. */
    private boolean inProgress() {
        return world.store.steppedForward()
                || world.store
                        .record()
                        .filter(record -> record.state() == RecordState.IN_PROGRESS)
                        .isPresent();
    }

    private void agree(Caller caller, Told told) {
        Told before = agreed;
        boolean same = before == null
                || before.kind() == told.kind()
                        && (told.kind() == Told.Kind.FAILED || before.value().equals(told.value()));
        if (!same) {
            broken(caller + " is told " + told + " and another caller was told " + before);
        }
        agreed = told;
    }

    /** A node ends after its shutdown, which answers all that called before its end if the store answers. */
    void exits(Node node, IdempotencyEngine.Left left, long shutDownNanos) {
        boolean storeAnswers = world.plan.noise() == 0
                && world.disturbances.struck().stream().allMatch(strike -> strike.fault() == Fault.SHUTDOWN);
        long untold = untold(node)
                .filter(caller -> caller.calledNanos() <= shutDownNanos)
                .count();
        if (storeAnswers && untold > left.running()) {
            broken(untold + " callers of " + node + " are told nothing although its shutdown left " + left);
        }
    }

    /** What each caller was told. */
    List<String> answers() {
        return callers.stream()
                .map(caller -> caller + ": " + caller.told())
                .sorted()
                .toList();
    }

    /** The callers of a node that wait for an answer. */
    Stream<Caller> untold(Node node) {
        return callers.stream().filter(caller -> caller.node() == node && caller.told() == null);
    }

    /** An operator has made sure that nothing was done; what was read before may still be told after that. */
    void forgotten() {
        forgotten = true;
    }

    /** The records of before are expired. */
    void newLife() {
        bodies = 0;
        effect = null;
        agreed = null;
        unknownTold = false;
    }

    /** Whether anybody was told that the outcome is unknown. */
    boolean unknownTold() {
        return unknownTold;
    }

    int bodies() {
        return bodies;
    }

    void escaped(Throwable failure) {
        if (!injected(failure)) {
            broken("thrown to a thread: " + text(failure));
        }
    }

    static boolean injected(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InjectedError || cause instanceof RejectedExecutionException) {
                return true;
            }
        }
        return false;
    }

    private static String text(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return failure + (trace.length > 0 ? " at " + trace[0] : "");
    }

    static String text(ClaimResult result) {
        return result instanceof ClaimResult.Duplicate duplicate
                ? duplicate.record().state() + " of " + duplicate.record().owner()
                : "" + result;
    }
}
