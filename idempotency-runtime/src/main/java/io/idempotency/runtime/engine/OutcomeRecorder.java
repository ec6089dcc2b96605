package io.idempotency.runtime.engine;

import io.idempotency.runtime.engine.RetryQueue.Message;
import io.idempotency.runtime.engine.RetryQueue.Weight;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * Tells the store what became of a claim, and does not take a failing store for an answer: the caller waits within a
 * budget, the attempts go on in the background. A claim that did something is never released because recording failed.
 */
final class OutcomeRecorder {

    private static final String GIVEN_BACK_LATE =
            "the body was not run, because the answer to its claim was lost; that was"
                    + " known only after the lease, when others may have been told otherwise";

    private final ExecutionServices services;
    private final RetryQueue backlog;
    private final Set<CompletableFuture<Optional<Settled>>> awaited = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    OutcomeRecorder(ExecutionServices services) {
        this.services = services;
        this.backlog = new RetryQueue(services);
    }

    /** Empty when the budget ran out, or the record cannot be understood: the outcome is not recorded (yet). */
    CompletionStage<Optional<Settled>> settle(
            StoreInvoker dispatch, ActiveClaim claim, Function<IdempotencyStore, CompletionStage<Settled>> verb) {
        Operation operation = claim.call().operation();
        return dispatch.ask(operation.store(), verb)
                .handle((settled, failure) -> failure == null
                        ? CompletableFuture.completedFuture(Optional.of(settled))
                        : dispatch.await(inBackground(claim, verb, failure)))
                .thenCompose(Function.identity());
    }

    private CompletionStage<Optional<Settled>> inBackground(
            ActiveClaim claim, Function<IdempotencyStore, CompletionStage<Settled>> verb, Throwable failure) {
        Operation operation = claim.call().operation();
        CompletableFuture<Optional<Settled>> answer = awaited();
        backlog.addFailed(message(operation, claim.keyHash(), verb, Weight.OUTCOME), failure)
                .thenAccept(answer::complete);
        Runnable budgetOver = () -> answer.complete(Optional.empty());
        try {
            services.timer().after(operation.policy().settleBudget(), budgetOver);
        } catch (RejectedExecutionException e) {
            budgetOver.run(); // the application shuts down
        }
        return answer;
    }

    /** Added before the look at the end: either it is seen here, or the answer is seen there. */
    private CompletableFuture<Optional<Settled>> awaited() {
        CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();
        answer.whenComplete((settled, failure) -> awaited.remove(answer));
        awaited.add(answer);
        if (over) {
            answer.complete(Optional.empty());
        }
        return answer;
    }

    /** Tells the store of a body that ran without a claim, once it can be reached. Nobody waits for it. */
    CompletionStage<Optional<Settled>> tellLater(
            Operation operation, String keyHash, Function<IdempotencyStore, CompletionStage<Settled>> verb) {
        return backlog.add(message(operation, keyHash, verb, Weight.DISPENSABLE), Duration.ZERO);
    }

    /**
     * After a claim whose answer was lost: if the store did apply it, nobody will ever run its body, so it is given back.
     * It is looked for at once and again after one lease, because a driver or server may apply it late. Once its lease is
     * over, callers may have been told that the body is not run again, and it stays in doubt, with the reason.
     */
    void abandon(Operation operation, Claim claim) {
        Message message = message(
                operation,
                claim.id().value(),
                store -> store.find(claim.id()).thenCompose(found -> giveBack(store, claim, found)),
                Weight.DISPENSABLE);
        backlog.add(message, Duration.ZERO).thenRun(() -> backlog.add(message, claim.lease()));
    }

    /** The application shuts down: what is to be told is tried now, and again at short intervals. */
    void hurry() {
        backlog.hurry();
    }

    /** Nobody waits for a store any longer, from now on: the timer that would end the waiting may stop any moment. */
    void dismissAll() {
        over = true;
        awaited.forEach(answer -> answer.complete(Optional.empty()));
    }

    /** Completes when nothing is left to be told. */
    CompletionStage<Void> told() {
        return backlog.empty();
    }

    int untold() {
        return backlog.size();
    }

    private static Message message(
            Operation operation,
            String keyHash,
            Function<IdempotencyStore, CompletionStage<Settled>> verb,
            Weight weight) {
        return new Message(operation.name(), keyHash, operation.store(), verb, weight);
    }

    private static CompletionStage<Settled> giveBack(
            IdempotencyStore store, Claim claim, Optional<StoredRecord> found) {
        if (found.isEmpty() || !found.get().owner().equals(claim.owner())) {
            return CompletableFuture.completedFuture(new Settled.Applied());
        }
        StoredRecord record = found.get();
        Ownership ownership = new Ownership(claim.id(), claim.owner(), record.fence());
        if (record.attempt() > 1) {
            // taken over from an owner whose outcome is still unknown: releasing would forget that
            return store.doubt(ownership, "taken over, but the body was not run again", claim.retention());
        }
        return store.release(ownership)
                .thenCompose(settled -> stillHeld(settled, ownership)
                        ? store.doubt(ownership, GIVEN_BACK_LATE, claim.retention())
                        : CompletableFuture.completedFuture(settled));
    }

    /** A store does not release what has ever been in doubt. */
    static boolean stillHeld(Settled settled, Ownership ownership) {
        return settled instanceof Settled.Stale stale
                && stale.current() != null
                && stale.current().heldBy(ownership);
    }
}
