package io.idempotency.runtime;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the owner of a claim does: asks the reconciler where one is due, runs the body, records what became of it. */
final class OwnedRun {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedRun.class);
    private static final int MAX_REASON = 500;

    private final ExecutionServices services;
    private final Settlement settlement;
    private final Failures failures;

    OwnedRun(ExecutionServices services, Settlement settlement) {
        this.services = services;
        this.settlement = settlement;
        this.failures = new Failures(services.classifiers());
    }

    CompletionStage<Outcome> run(ActiveClaim claim, Dispatch dispatch) {
        LeaseRenewal renewal = new LeaseRenewal(claim, services).start();
        Steps steps = new Steps(claim, dispatch, renewal);
        boolean abandonedBefore =
                claim.attempt() > 1 && claim.call().operation().policy().onAbandoned() == OnAbandoned.RECONCILE;
        CompletionStage<Outcome> outcome = abandonedBefore ? steps.reconcile() : steps.body();
        // whatever goes wrong in here: a claim that nobody works for must not be renewed for ever
        return outcome.whenComplete((come, defect) -> renewal.stop());
    }

    /** The steps of one owned call. */
    private final class Steps {
        private final ActiveClaim claim;
        private final Dispatch dispatch;
        private final LeaseRenewal renewal;
        private final Operation.Policy policy;

        Steps(ActiveClaim claim, Dispatch dispatch, LeaseRenewal renewal) {
            this.claim = claim;
            this.dispatch = dispatch;
            this.renewal = renewal;
            this.policy = claim.call().operation().policy();
        }

        CompletionStage<Outcome> reconcile() {
            Invocation.Reconciler reconciler = claim.call().reconciler();
            if (reconciler == null) {
                return stillUnknown("no @Reconciles method is known for it", null);
            }
            return started(() -> reconciler.reconcile(claim))
                    .handle((answer, failure) -> failure == null && answer != null
                            ? reconciled(answer)
                            : stillUnknown("its reconciler failed", failure))
                    .thenCompose(Function.identity());
        }

        private CompletionStage<Outcome> reconciled(Reconciliation<?> answer) {
            if (answer instanceof Reconciliation.Done<?> done) {
                return complete(done.result(), recorded -> new Outcome.Replayed(done.result()));
            } else if (answer instanceof Reconciliation.Absent<?>) {
                return body();
            }
            return stillUnknown(((Reconciliation.Unknown<?>) answer).reason(), null);
        }

        private CompletionStage<Outcome> stillUnknown(String reason, @Nullable Throwable cause) {
            String why =
                    Failures.shortened(cause == null ? reason : reason + " with " + Failures.text(cause), MAX_REASON);
            return settle(store -> store.doubt(claim.ownership(), why, policy.inDoubtRetention()))
                    .thenApply(settled -> new Outcome.Refused(Refusals.unknown(claim.call(), why, cause)));
        }

        CompletionStage<Outcome> body() {
            return started(() -> claim.call().body().run(claim))
                    .handle((value, failure) -> failure == null ? returned(value) : threw(failure))
                    .thenCompose(Function.identity());
        }

        private CompletionStage<Outcome> returned(@Nullable Object value) {
            if (claim.declaredNoEffect()) {
                return settle(store -> store.release(claim.ownership()))
                        .thenApply(settled -> answer(
                                settled, Outcome.Recorded.RELEASED, recorded -> new Outcome.Executed(value, recorded)));
            }
            return complete(value, recorded -> new Outcome.Executed(value, recorded));
        }

        private CompletionStage<Outcome> complete(@Nullable Object value, Function<Outcome.Recorded, Outcome> answer) {
            StoredResult result = Encoding.of(claim, value);
            return settle(store -> store.complete(claim.ownership(), result, policy.retention()))
                    .thenApply(settled -> answer(settled, Outcome.Recorded.YES, answer));
        }

        /** After a stale owner the recorded outcome is the one that every caller learns, this one included. */
        private Outcome answer(
                Optional<Settled> settled, Outcome.Recorded whenApplied, Function<Outcome.Recorded, Outcome> answer) {
            if (settled.isPresent() && settled.get() instanceof Settled.Stale stale) {
                return stale.current() == null
                        ? answer.apply(Outcome.Recorded.DEGRADED)
                        : Replay.of(claim.call(), stale.current());
            }
            return answer.apply(settled.isPresent() ? whenApplied : Outcome.Recorded.DEGRADED);
        }

        private CompletionStage<Outcome> threw(Throwable failure) {
            Effect effect = failures.effect(failure, claim);
            boolean released = failures.releases(effect, claim);
            Outcome.Recorded recorded = released ? Outcome.Recorded.RELEASED : Outcome.Recorded.YES;
            return settle(store -> {
                        if (released) {
                            return store.release(claim.ownership());
                        }
                        return effect == Effect.UNKNOWN
                                ? store.doubt(claim.ownership(), reason(failure), policy.inDoubtRetention())
                                : store.fail(claim.ownership(), failures.describe(failure), policy.retention());
                    })
                    .thenApply(settled -> answer(settled, recorded, how -> new Outcome.Threw(failure, effect, how)))
                    .thenApply(outcome -> keeping(failure, outcome));
        }

        /** What the body of a stale owner threw is not its caller's answer, but is not lost either. */
        private Outcome keeping(Throwable failure, Outcome outcome) {
            if (!(outcome instanceof Outcome.Threw)) {
                LOG.error(
                        "Idempotent operation '{}' [key {}]: the body of attempt {} failed after its claim was lost; its"
                                + " caller is given what the record says",
                        claim.operation(),
                        claim.keyHash(),
                        claim.attempt(),
                        failure);
            }
            if (outcome instanceof Outcome.Refused refused) {
                refused.reason().addSuppressed(failure);
            }
            return outcome;
        }

        private static String reason(Throwable failure) {
            return Failures.shortened("the body ended with " + Failures.text(Dispatch.unwrapped(failure)), MAX_REASON);
        }

        private CompletionStage<Optional<Settled>> settle(Function<IdempotencyStore, CompletionStage<Settled>> verb) {
            renewal.stop();
            return settlement.settle(dispatch, claim, verb).thenApply(settled -> {
                if (settled.isPresent() && settled.get() instanceof Settled.Stale stale) {
                    reportStale(stale.current());
                }
                return settled;
            });
        }

        private void reportStale(@Nullable StoredRecord current) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: the outcome of attempt {} (fence {}) came too late and was not"
                            + " recorded; the record is now {}",
                    claim.operation(),
                    claim.keyHash(),
                    claim.attempt(),
                    claim.fence(),
                    current == null ? "gone" : current.state() + " with fence " + current.fence());
        }

        @SuppressWarnings("CatchingUnchecked") // an Error of the body must not leave its claim behind in silence
        private <T> CompletionStage<T> started(Start<T> start) {
            try {
                @SuppressWarnings("unchecked") // a stage only produces its value
                CompletionStage<T> stage = (CompletionStage<T>) start.start();
                return stage == null
                        ? CompletableFuture.failedFuture(new NullPointerException("null was returned, not a stage"))
                        : stage;
            } catch (Throwable e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    /** A body or a reconciler. */
    private interface Start<T> {
        CompletionStage<? extends T> start() throws Throwable;
    }
}
