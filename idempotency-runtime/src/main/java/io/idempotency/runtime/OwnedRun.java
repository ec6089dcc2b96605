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
                        .thenApply(
                                settled -> new Outcome.Executed(value, recorded(settled, Outcome.Recorded.RELEASED)));
            }
            return complete(value, recorded -> new Outcome.Executed(value, recorded));
        }

        private CompletionStage<Outcome> complete(@Nullable Object value, Function<Outcome.Recorded, Outcome> answer) {
            StoredResult result = Encoding.of(claim, value);
            return settle(store -> store.complete(claim.ownership(), result, policy.retention()))
                    .thenApply(settled -> {
                        if (settled.isPresent() && settled.get() instanceof Settled.Stale stale) {
                            return overtaken(stale.current(), answer);
                        }
                        return answer.apply(recorded(settled, Outcome.Recorded.YES));
                    });
        }

        /** The recorded outcome is the one that every caller learns, this one included. */
        private Outcome overtaken(@Nullable StoredRecord current, Function<Outcome.Recorded, Outcome> answer) {
            return current == null ? answer.apply(Outcome.Recorded.DEGRADED) : Replay.of(claim.call(), current);
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
                    .thenApply(settled -> new Outcome.Threw(failure, effect, recorded(settled, recorded)));
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

        private static Outcome.Recorded recorded(Optional<Settled> settled, Outcome.Recorded whenApplied) {
            return settled.isPresent() && settled.get() instanceof Settled.Applied
                    ? whenApplied
                    : Outcome.Recorded.DEGRADED;
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
