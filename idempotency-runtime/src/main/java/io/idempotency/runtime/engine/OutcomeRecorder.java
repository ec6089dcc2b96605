package io.idempotency.runtime.engine;

import io.idempotency.runtime.engine.RetryQueue.Message;
import io.idempotency.runtime.engine.RetryQueue.Weight;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the store what became of a claim, and does not take a failing store for an answer: the caller waits within a
 * budget, the attempts go on in the background. A claim that did something is never released because recording failed.
 */
final class OutcomeRecorder {

    private static final String GIVEN_BACK_LATE =
            "the body was not run, because the answer to its claim was lost; that was"
                    + " known only after the lease, when others may have been told otherwise";

    private final ExecutionServices services;
    private final Map<IdempotencyStore, RetryQueue> queues = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<Optional<Settled>>> awaited = ConcurrentHashMap.newKeySet();
    private volatile boolean hurrying;
    private volatile boolean over;

    OutcomeRecorder(ExecutionServices services) {
        this.services = services;
    }

    /** What became of a body that held its claim. It keeps nothing else of the call. */
    private record Told(Verdict verdict, Ownership ownership, Operation.Policy policy) implements RetryQueue.Verb {
        @Override
        public CompletionStage<Settled> tell(IdempotencyStore store) {
            return verdict.tell(store, ownership, policy);
        }

        @Override
        public int bytes() {
            return verdict.bytes();
        }

        @Override
        public RetryQueue.Verb withoutResult(String reason) {
            return new Told(verdict.withoutResult(reason), ownership, policy);
        }
    }

    /**
     * Empty when the budget ran out, or the record cannot be understood: the outcome is not recorded (yet).
     *
     * @param invoker the call's own
     * @param claim whose body is over
     * @param verdict what became of it
     * @param afterwards run when the store has answered, or is not asked any more
     */
    CompletionStage<Optional<Settled>> settle(
            StoreInvoker invoker, ActiveClaim claim, Verdict verdict, Runnable afterwards) {
        Operation operation = claim.call().operation();
        RetryQueue queue = queueOf(operation.store());
        // before the store is told: afterwards there may be no memory for it
        KeptMessages.Entry entry = queue.entry(
                new Message(operation.name(), claim.call().id(), Weight.OUTCOME),
                new Told(verdict, claim.ownership(), operation.policy()));
        CompletionStage<Settled> told = invoker.tell(operation.store(), entry.verb()::tell);
        Settled known = Stages.known(told);
        if (known != null) {
            afterwards.run();
            queue.answered();
            return CompletableFuture.completedFuture(Optional.of(known));
        }
        told.whenComplete((settled, failure) -> {
            if (failure == null) {
                queue.answered();
            }
            queue.ended(entry, settled, failure);
        });
        if (entry.answer().isDone()) {
            afterwards.run();
            return entry.answer();
        }
        entry.answer().whenComplete((settled, failure) -> afterwards.run());
        return answered(invoker, operation, queue, entry);
    }

    private CompletionStage<Optional<Settled>> answered(
            StoreInvoker invoker, Operation operation, RetryQueue queue, KeptMessages.Entry entry) {
        CompletableFuture<Optional<Settled>> answer = awaited();
        entry.answer().thenAccept(answer::complete);
        return invoker.within(operation.store(), answer, operation.policy().settleBudget(), () -> {
            queue.putOff(entry);
            answer.complete(Optional.empty());
        });
    }

    private RetryQueue queueOf(IdempotencyStore store) {
        RetryQueue known = queues.get(store);
        return known != null ? known : newQueue(store);
    }

    /** Added before the look at the shutdown: either it hurries here, or it is seen there. */
    private RetryQueue newQueue(IdempotencyStore store) {
        RetryQueue queue = queues.computeIfAbsent(store, named -> new RetryQueue(services, named));
        if (hurrying) {
            queue.hurry();
        }
        return queue;
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

    /** Tells the store of a body that ran without a claim, once it can be reached. No caller waits for it. */
    CompletionStage<Optional<Settled>> tellLater(Operation operation, RecordId id, RetryQueue.Verb verb) {
        RetryQueue queue = queueOf(operation.store());
        KeptMessages.Entry entry = queue.entry(new Message(operation.name(), id, Weight.DISPENSABLE), verb);
        queue.putOff(entry, Duration.ZERO);
        return entry.answer();
    }

    /**
     * After a claim whose answer was lost: if the store did apply it, its body will never run, so it is given back.
     * It is looked for at once and again after one lease, because a driver or server may apply it late. Once its lease is
     * over, callers may have been told that the body is not run again, and it stays in doubt, with the reason.
     */
    void abandon(Operation operation, Claim abandoned) {
        Claim claim = abandoned.withoutArguments(); // it is kept for as long as the store is away
        Message message = new Message(operation.name(), claim.id(), Weight.DISPENSABLE);
        RetryQueue.Verb look = store -> Stages.of(() -> giveBack(store, claim, store.find(claim.id())));
        RetryQueue queue = queueOf(operation.store());
        KeptMessages.Entry first = queue.entry(message, look);
        first.answer().thenRun(() -> queue.putOff(queue.entry(message, look), claim.lease()));
        queue.putOff(first, Duration.ZERO);
    }

    /** The application shuts down: what is to be told is tried now, and again at short intervals. */
    void hurry() {
        hurrying = true;
        queues.values().forEach(RetryQueue::hurry);
    }

    /** No call waits for a store any longer, from now on: the timer that would end the waiting may stop any moment. */
    void dismissAll() {
        over = true;
        awaited.forEach(answer -> answer.complete(Optional.empty()));
    }

    /** Completes when nothing is left to be told. */
    CompletionStage<Void> told() {
        return CompletableFuture.allOf(queues.values().stream()
                .map(queue -> queue.empty().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    IdempotencyEngine.Backlog backlog(IdempotencyStore store) {
        RetryQueue queue = queues.get(store);
        return queue == null ? new IdempotencyEngine.Backlog(0, 0) : queue.backlog();
    }

    int untold() {
        return queues.values().stream().mapToInt(RetryQueue::size).sum();
    }

    private static Settled giveBack(IdempotencyStore store, Claim claim, Optional<StoredRecord> found) {
        if (found.isEmpty() || !found.get().owner().equals(claim.owner())) {
            return new Settled.Applied();
        }
        StoredRecord record = found.get();
        Ownership ownership = new Ownership(claim.id(), claim.owner(), record.fence());
        if (record.attempt() > 1) {
            // taken over from an owner whose outcome is still unknown: releasing would forget that
            return store.doubt(ownership, "taken over, but the body was not run again", claim.retention());
        }
        Settled settled = store.release(ownership);
        return stillHeld(settled, ownership) ? store.doubt(ownership, GIVEN_BACK_LATE, claim.retention()) : settled;
    }

    /** A store does not release what has ever been in doubt. */
    static boolean stillHeld(Settled settled, Ownership ownership) {
        return settled instanceof Settled.Stale stale
                && stale.current() != null
                && stale.current().heldBy(ownership);
    }
}
