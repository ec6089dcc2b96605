package io.idempotency.runtime;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store what became of a claim, and does not take a failing store for an answer: the caller waits within a
 * budget, the attempts go on in the background. A claim that did something is never released because recording failed.
 */
final class Settlement {

    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
    private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);

    private final ExecutionServices services;

    Settlement(ExecutionServices services) {
        this.services = services;
    }

    /** Empty when the budget ran out, or the record cannot be understood: the outcome is not recorded (yet). */
    CompletionStage<Optional<Settled>> settle(
            Dispatch dispatch, ActiveClaim claim, Function<IdempotencyStore, CompletionStage<Settled>> verb) {
        Operation operation = claim.call().operation();
        return dispatch.ask(operation.store(), verb)
                .handle((settled, failure) -> failure == null
                        ? CompletableFuture.completedFuture(Optional.of(settled))
                        : dispatch.await(inBackground(claim, verb, failure)))
                .thenCompose(Function.identity());
    }

    private CompletionStage<Optional<Settled>> inBackground(
            ActiveClaim claim, Function<IdempotencyStore, CompletionStage<Settled>> verb, Throwable failure) {
        CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();
        Operation operation = claim.call().operation();
        new Retries(operation.name(), claim.keyHash(), operation.store(), verb, answer).failed(failure);
        Runnable budgetOver = () -> answer.complete(Optional.empty());
        try {
            services.timer().after(operation.policy().settleBudget(), budgetOver);
        } catch (RejectedExecutionException e) {
            budgetOver.run(); // the application shuts down
        }
        return answer;
    }

    /**
     * After a claim whose answer was lost: if the store did apply it, nobody will ever run its body, so it is given back.
     * It is looked for at once and again after one lease, because a driver or server may apply it late.
     */
    void abandon(Operation operation, Claim claim) {
        Function<IdempotencyStore, CompletionStage<Settled>> giveBack =
                store -> store.find(claim.id()).thenCompose(found -> giveBack(store, claim, found));
        CompletableFuture<Optional<Settled>> first = new CompletableFuture<>();
        new Retries(operation.name(), claim.id().value(), operation.store(), giveBack, first).start(Duration.ZERO);
        first.thenRun(() -> new Retries(
                        operation.name(), claim.id().value(), operation.store(), giveBack, new CompletableFuture<>())
                .start(claim.lease()));
    }

    private static CompletionStage<Settled> giveBack(
            IdempotencyStore store, Claim claim, Optional<StoredRecord> found) {
        if (found.isEmpty() || !found.get().owner().equals(claim.owner())) {
            return CompletableFuture.completedFuture(new Settled.Applied());
        }
        StoredRecord record = found.get();
        Ownership ownership = new Ownership(claim.id(), claim.owner(), record.fence());
        return record.attempt() == 1
                ? store.release(ownership)
                // taken over from an owner whose outcome is still unknown: releasing would forget that
                : store.doubt(ownership, "taken over, but the body was not run again", claim.retention());
    }

    /** One verb, tried until it is answered. */
    private final class Retries {
        private final String operation;
        private final String keyHash;
        private final IdempotencyStore store;
        private final Function<IdempotencyStore, CompletionStage<Settled>> verb;
        private final CompletableFuture<Optional<Settled>> answer;
        private final long since = services.nanoTime().getAsLong();
        private Duration delay = FIRST_DELAY;

        Retries(
                String operation,
                String keyHash,
                IdempotencyStore store,
                Function<IdempotencyStore, CompletionStage<Settled>> verb,
                CompletableFuture<Optional<Settled>> answer) {
            this.operation = operation;
            this.keyHash = keyHash;
            this.store = store;
            this.verb = verb;
            this.answer = answer;
        }

        void start(Duration after) {
            try {
                services.timer().after(after, this::attempt);
            } catch (RejectedExecutionException e) {
                giveUp(e); // the application shuts down
            }
        }

        private void attempt() {
            new Dispatch.Background(services.upkeep()).ask(store, verb).whenComplete((settled, failure) -> {
                if (failure == null) {
                    answer.complete(Optional.of(settled));
                } else {
                    failed(failure);
                }
            });
        }

        void failed(Throwable failure) {
            boolean hopeless = Dispatch.unwrapped(failure) instanceof UnreadableRecordException
                    || services.nanoTime().getAsLong() - since > GIVE_UP_AFTER.toNanos();
            if (hopeless) {
                giveUp(failure);
                return;
            }
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: store '{}' could not record what became of the call; trying"
                            + " again in {}",
                    operation,
                    keyHash,
                    store.name(),
                    delay,
                    failure);
            start(delay);
            delay = delay.multipliedBy(2).compareTo(LONGEST_DELAY) < 0 ? delay.multipliedBy(2) : LONGEST_DELAY;
        }

        private void giveUp(Throwable failure) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: store '{}' cannot record what became of the call, and it is"
                            + " not tried again. Duplicates are refused as in progress, then as outcome unknown,"
                            + " until an operator settles the record.",
                    operation,
                    keyHash,
                    store.name(),
                    failure);
            answer.complete(Optional.empty());
        }
    }
}
