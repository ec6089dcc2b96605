package io.idempotency.runtime.engine;

import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.answer.Replay;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes one call in two halves: {@link #begin} claims the key, waits or answers, and {@link #finish} records how the
 * body ended. Holds the call's place in the in-flight gate, its seat among its duplicates and its lease; closing
 * releases all three. Used by one thread at a time.
 */
final class ProtectedExecution implements AutoCloseable {

    private final Invocation call;
    private final IdempotencyEngine engine;
    private final LeaseKeeper leases;
    private final Unrecorded unrecorded;
    private final ClaimAttempt attempt;
    private WaitingGroup.@Nullable Seat seat;
    private @Nullable ActiveClaim claim;
    private @Nullable BodyExecution body;
    private boolean inside;

    ProtectedExecution(Invocation call, IdempotencyEngine engine) {
        this.call = call;
        this.engine = engine;
        this.leases = engine.leases(call.operation().store());
        this.unrecorded = engine.unrecorded(call.operation().store());
        this.attempt = new ClaimAttempt(
                call,
                engine.services,
                leases,
                unrecorded,
                engine.services.tokens().get());
    }

    /**
     * Claims the key, or waits for the call that owns it.
     *
     * @param gone completes when the caller has gone; null for a caller that stays
     * @return the outcome of a call that runs no body; null when the body has to run
     */
    @Nullable
    Outcome begin(@Nullable CompletionStage<?> gone) {
        Operation.Policy policy = call.operation().policy();
        if (policy.whenInProgress() == WhenInProgress.WAIT
                && policy.waitTimeout().compareTo(Duration.ZERO) > 0) {
            return inTurn(policy.waitTimeout(), gone);
        }
        ActiveClaim running = leases.keeping(call);
        return running != null
                ? Replay.running(call, running, running.call().fingerprint().text())
                : decided(claim(true, true));
    }

    private @Nullable Outcome inTurn(Duration limit, @Nullable CompletionStage<?> gone) {
        WaitingGroup.Seat mine = engine.waiting.join(Waiting.Key.of(call), limit);
        seat = mine;
        if (gone != null) {
            gone.thenRun(mine::leave);
        }
        try {
            while (true) {
                // no default: a new kind of turn must not be taken for permission to claim
                Waiting.Turn turn = mine.next();
                if (!(turn instanceof Waiting.Turn.Claim now)) {
                    return ((Waiting.Turn.Told) turn).answer().apply(call);
                }
                ClaimAttempt.Decision decision = claim(now.takeOver(), now.first());
                if (!(decision instanceof ClaimAttempt.Decision.Busy busy)) {
                    return decided(decision);
                }
                mine.busy(busy.record());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Refusals.noLongerWaiting(call);
        }
    }

    /** Leaves the in-flight gate unless the body is going to run. */
    private ClaimAttempt.Decision claim(boolean takeOver, boolean first) {
        if (!engine.gate.enter(call.nested())) {
            return attempt.look();
        }
        inside = true;
        ClaimAttempt.Decision decision = attempt.claim(takeOver, first);
        if (!(decision instanceof ClaimAttempt.Decision.Granted || decision instanceof ClaimAttempt.Decision.Unasked)) {
            leaveGate();
        }
        return decision;
    }

    private @Nullable Outcome decided(ClaimAttempt.Decision decision) {
        if (decision instanceof ClaimAttempt.Decision.Granted granted) {
            return granted(granted.claim());
        } else if (decision instanceof ClaimAttempt.Decision.Unasked unasked) {
            body = new BodyExecution(ActiveClaim.none(call, engine.services), leases, unrecorded, unasked);
            return null;
        } else if (decision instanceof ClaimAttempt.Decision.Known known) {
            if (seat != null) {
                seat.answer(known.answer());
            }
            return known.answer().apply(call);
        }
        return Refusals.inProgress(call, ((ClaimAttempt.Decision.Busy) decision).record());
    }

    private @Nullable Outcome granted(ActiveClaim granted) {
        claim = granted;
        WaitingGroup.Seat mine = seat;
        if (mine != null) {
            granted.whenDoubtful(() -> mine.pass(true));
        }
        leases.keep(granted);
        if (granted.remainingLease().isZero()) { // this thread stood still: another call may run the body by now
            return decided(attempt.tooLate(granted.sentNanos()));
        }
        BodyExecution run = new BodyExecution(granted, leases, unrecorded, null);
        body = run;
        BodyExecution.Ended ended = run.abandonedBefore() ? run.reconcile() : null;
        return ended == null ? null : passedOn(ended);
    }

    /** Starts the body that {@link #begin} permitted. */
    CompletableFuture<@Nullable Object> start() {
        BodyExecution mine = Objects.requireNonNull(body);
        if (seat == null) {
            return mine.start();
        }
        seat.bodyOn(Thread.currentThread());
        try {
            return mine.start();
        } finally {
            seat.bodyOn(null);
        }
    }

    /** Tells whether duplicates in this JVM may wait for the outcome. */
    boolean othersMayWait() {
        return seat != null;
    }

    /** Records the outcome of the ended body. May wait for a store that is away, or answers at once. */
    Outcome finish(CompletableFuture<@Nullable Object> ended, boolean mayWait) {
        Throwable failure = BlockingCalls.failure(ended);
        return passedOn(Objects.requireNonNull(body).finish(failure == null ? ended.join() : null, failure, mayWait));
    }

    /** Answers the duplicates that waited, or passes the turn to one of them. */
    private Outcome passedOn(BodyExecution.Ended ended) {
        Function<Invocation, Outcome> answer = ended.forDuplicates();
        if (seat != null && answer != null) {
            seat.answer(answer);
        } else if (seat != null) {
            seat.pass(ended.mayTakeOver());
        }
        return ended.outcome();
    }

    private void leaveGate() {
        if (inside) {
            inside = false;
            engine.gate.leave();
        }
    }

    /** Gives up the lease unless the outcome is still being recorded, then leaves the gate and the duplicates. */
    @Override
    public void close() {
        if (claim != null && !claim.isSettling()) {
            leases.giveUp(claim);
        }
        leaveGate();
        if (seat != null) {
            seat.close();
        }
    }
}
