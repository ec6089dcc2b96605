package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of an operation that waits for its duplicates. It claims and runs in its turn; otherwise it waits, parking
 * its own thread when it is synchronous and nothing when it is not, until it is told or its time is over.
 */
final class WaitingCall {

    private final Invocation call;
    private final StoreInvoker invoker;
    private final ClaimAttempt attempt;
    private final SingleFlight singleFlight;
    private final SingleFlight.Waiter waiter;
    private final ExecutionServices services;
    private final long startedNanos;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private @Nullable Runnable cancelLimit;

    /** Its turn did not come at once. */
    private volatile boolean waited;

    /** The answer is not wanted any more, or the thread is wanted for something else. */
    private volatile boolean gone;

    WaitingCall(
            Invocation call,
            StoreInvoker invoker,
            ClaimAttempt attempt,
            SingleFlight singleFlight,
            CallScope scope,
            ExecutionServices services) {
        this.call = call;
        this.invoker = invoker;
        this.attempt = attempt;
        this.singleFlight = singleFlight;
        this.services = services;
        this.startedNanos = services.nanoTime().getAsLong();
        Operation operation = call.operation();
        this.waiter = singleFlight.join(
                new SingleFlight.Key(
                        operation.store(),
                        call.id(),
                        operation.name(),
                        call.fingerprint().text()),
                services.maxWaitersPerKey(),
                invoker instanceof StoreInvoker.Caller);
        scope.holds(this::standUp);
    }

    CompletionStage<Outcome> start(@Nullable CompletionStage<?> callerGone) {
        if (callerGone != null) {
            callerGone.thenRun(this::leave);
        }
        takeTurns();
        return outcome;
    }

    private void leave() {
        gone = true;
        singleFlight.leave(waiter);
    }

    /** However the call ended, its seat must not block the key: neither a turn that it has, nor one that it would get. */
    private void standUp() {
        singleFlight.leave(waiter);
        singleFlight.pass(waiter, true);
    }

    /** One turn after the other: in a loop as long as they end at once, and from their own threads otherwise. */
    private void takeTurns() {
        while (true) {
            CompletableFuture<Boolean> over = turn().handle(this::over).toCompletableFuture();
            if (!over.isDone()) {
                over.thenAccept(ended -> {
                    if (!ended) {
                        goOn();
                    }
                });
                return;
            }
            if (over.join()) {
                return;
            }
        }
    }

    /** On a thread where an exception would not be noticed. */
    private void goOn() {
        try {
            takeTurns();
        } catch (Throwable e) {
            over(null, e);
        }
    }

    private boolean over(@Nullable Optional<Outcome> come, @Nullable Throwable defect) {
        if (come != null && come.isEmpty()) {
            return false;
        }
        Runnable cancel = cancelLimit;
        if (cancel != null) {
            cancel.run();
        }
        if (come == null) {
            outcome.completeExceptionally(defect);
        } else {
            outcome.complete(come.get());
        }
        return true;
    }

    /** Empty when the call waits on. */
    private CompletionStage<Optional<Outcome>> turn() {
        CompletableFuture<SingleFlight.Turn> turn = waiter.turn();
        if (!waited && turn.isDone()) {
            return take(turn.join());
        }
        waited = true;
        if (cancelLimit == null) {
            cancelLimit = limit();
        }
        return invoker.waitFor(call.operation().store(), turn, this::leave)
                .handle((come, refused) -> refused == null ? take(come) : withoutThread(turn.join(), refused))
                .thenCompose(Function.identity());
    }

    private Runnable limit() {
        try {
            return services.timer().after(waitTimeout().minusNanos(waitedNanos()), () -> singleFlight.leave(waiter));
        } catch (Throwable e) { // closed, or without memory: else the waiting would never end
            singleFlight.leave(waiter);
            return () -> {};
        }
    }

    /** An answer needs no thread of its own; a body must not run on one that belongs to a driver. */
    private CompletionStage<Optional<Outcome>> withoutThread(SingleFlight.Turn turn, Throwable refused) {
        if (!(turn instanceof SingleFlight.Turn.Claim)) {
            return take(turn);
        }
        Function<Invocation, Outcome> answer =
                duplicate -> new Outcome.Refused(Refusals.noThread(duplicate, StoreInvoker.unwrapped(refused)));
        singleFlight.answer(waiter, answer);
        return come(answer.apply(call));
    }

    private Duration waitTimeout() {
        return call.operation().policy().waitTimeout();
    }

    private long waitedNanos() {
        return services.nanoTime().getAsLong() - startedNanos;
    }

    /** Over before its time: then no caller waits any longer. */
    private IdempotencyException runningHere() {
        if (gone) {
            return Refusals.noLongerWaiting(call);
        }
        return waitedNanos() < waitTimeout().toNanos()
                ? Refusals.runsOn(call)
                : Refusals.runningHere(call, waitTimeout());
    }

    /** Empty when the call waits on. */
    private CompletionStage<Optional<Outcome>> take(SingleFlight.Turn turn) {
        // no default: a new kind of turn must not be taken for permission to claim
        if (turn instanceof SingleFlight.Turn.Claim && waited && gone) {
            singleFlight.pass(waiter, true);
            return come(new Outcome.Refused(Refusals.noLongerWaiting(call)));
        } else if (turn instanceof SingleFlight.Turn.Claim claim) {
            return attempt.claim(claim.takeOver(), claim.first())
                    .thenCompose(claimed -> claimed(claimed, claim.alarm()));
        } else if (turn instanceof SingleFlight.Turn.Told told) {
            return come(told.answer().apply(call));
        } else if (turn instanceof SingleFlight.Turn.Over over) {
            StoredRecord seen = over.seen();
            return come(seen == null ? new Outcome.Refused(runningHere()) : Replay.of(call, seen));
        } else if (turn instanceof SingleFlight.Turn.Full) {
            return come(new Outcome.Refused(Refusals.tooManyWait(call, services.maxWaitersPerKey())));
        }
        return come(new Outcome.Refused(Refusals.nested(call)));
    }

    private CompletionStage<Optional<Outcome>> claimed(ClaimDecision claimed, SingleFlight.@Nullable Alarm alarm) {
        if (claimed instanceof ClaimDecision.Granted granted) {
            return run(granted.claim()).thenApply(Optional::of);
        } else if (claimed instanceof ClaimDecision.Known known) {
            singleFlight.answer(waiter, known.answer());
            return come(known.answer().apply(call));
        } else if (claimed instanceof ClaimDecision.Unasked unasked) {
            return onBodysThread(() -> attempt.run(unasked)).thenApply(this::ranUnprotected);
        }
        return pause(((ClaimDecision.Busy) claimed).record(), alarm);
    }

    /** The others wait meanwhile; when the claim is no longer good for anything, they need not. */
    private CompletionStage<Outcome> run(ActiveClaim claim) {
        claim.whenDoubtful(() -> singleFlight.pass(waiter, true));
        return onBodysThread(() -> attempt.run(claim)).thenApply(ran -> {
            singleFlight.pass(waiter, !askedInVain(ran));
            return ran;
        });
    }

    private <T> CompletionStage<T> onBodysThread(Supplier<CompletionStage<T>> run) {
        waiter.bodyOn(Thread.currentThread());
        try {
            return run.get();
        } finally {
            waiter.bodyOn(null);
        }
    }

    /** The store cannot tell those who wait, so they are told here. */
    private Optional<Outcome> ranUnprotected(UnprotectedRun.Ran ran) {
        Function<Invocation, Outcome> answer = ran.verdict().forDuplicates();
        if (answer == null) {
            singleFlight.pass(waiter, true);
        } else {
            singleFlight.answer(waiter, answer);
        }
        return Optional.of(ran.outcome());
    }

    /** What the reconciler does not know now it need not be asked again by everyone who waited for it. */
    private boolean askedInVain(Outcome ran) {
        return call.operation().policy().onAbandoned() == OnAbandoned.RECONCILE
                && ran instanceof Outcome.Refused refused
                && refused.reason() instanceof OutcomeUnknownException;
    }

    private CompletionStage<Optional<Outcome>> pause(StoredRecord record, SingleFlight.@Nullable Alarm there) {
        if (waitedNanos() >= waitTimeout().toNanos()) {
            singleFlight.leave(waiter);
        }
        SingleFlight.Alarm alarm = there == null
                ? new SettlementWatch(
                        services, call.operation().store(), call.id(), () -> singleFlight.wake(waiter.key()))
                : there;
        try {
            alarm.set(record);
        } catch (Throwable e) { // the application shuts down, or has no memory: nothing would wake the group
            alarm.close();
            Function<Invocation, Outcome> busy = waiter -> Replay.of(waiter, record);
            singleFlight.answer(waiter, busy);
            return come(busy.apply(call));
        }
        singleFlight.pause(waiter, record, alarm);
        return CompletableFuture.completedFuture(Optional.empty());
    }

    private static CompletionStage<Optional<Outcome>> come(Outcome outcome) {
        return CompletableFuture.completedFuture(Optional.of(outcome));
    }
}
