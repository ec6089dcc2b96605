package io.idempotency.runtime.engine;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
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

    /** Others may have been told that the body is not run again, and that stays true. */
    private static final String NO_EFFECT_LATE =
            "the body ended without effect, but after its lease was over, when others may have been told otherwise";

    private static final String PROVEN_LATE =
            "its reconciler proved that nothing was done, but after the lease was over, when others may have run the body";

    private final ExecutionServices services;
    private final OutcomeRecorder recorder;
    private final Failures failures;
    private final RunningHere runningHere;

    OwnedRun(ExecutionServices services, OutcomeRecorder recorder, Failures failures, RunningHere runningHere) {
        this.services = services;
        this.recorder = recorder;
        this.failures = failures;
        this.runningHere = runningHere;
    }

    /** From now on the lease is renewed. */
    Steps begin(ActiveClaim claim, StoreInvoker invoker, CallScope scope) {
        LeaseRenewal renewal = new LeaseRenewal(claim, services);
        scope.holds(
                renewal,
                () -> runningHere.ends(claim)); // before: a claim without a running body is not to be kept alive
        runningHere.begins(claim);
        renewal.start();
        return new Steps(claim, invoker, scope, renewal);
    }

    /** The steps of one owned call. */
    final class Steps {
        private final ActiveClaim claim;
        private final StoreInvoker invoker;
        private final CallScope scope;
        private final LeaseRenewal renewal;

        Steps(ActiveClaim claim, StoreInvoker invoker, CallScope scope, LeaseRenewal renewal) {
            this.claim = claim;
            this.invoker = invoker;
            this.scope = scope;
            this.renewal = renewal;
        }

        /** Whether a reconciler decides if the body may run. */
        boolean abandonedBefore() {
            return claim.attempt() > 1 && claim.call().operation().policy().onAbandoned() == OnAbandoned.RECONCILE;
        }

        CompletionStage<Outcome> reconcile() {
            Invocation.Reconciler reconciler = claim.call().reconciler();
            if (reconciler == null) {
                return stillUnknown("no @Reconciles method is known for it", null);
            }
            return StoreInvoker.started(reconciler::reconcile, claim)
                    .handle((answer, failure) -> failure == null && answer != null
                            ? reconciled(answer)
                            : stillUnknown("its reconciler failed", failure))
                    .thenCompose(Function.identity());
        }

        private CompletionStage<Outcome> reconciled(Reconciliation<?> answer) {
            if (answer instanceof Reconciliation.Done<?> done) {
                return record(
                        new Verdict.Completed(Encoding.of(claim, done.result())),
                        recorded -> new Outcome.Replayed(done.result()));
            } else if (answer instanceof Reconciliation.Absent<?>) {
                return claim.remainingLease().isZero() ? provenTooLate() : body();
            }
            return stillUnknown(((Reconciliation.Unknown<?>) answer).reason(), null);
        }

        /** Another owner may have had the same proof since, and its body may run. */
        private CompletionStage<Outcome> provenTooLate() {
            return record(
                    new Verdict.InDoubt(PROVEN_LATE),
                    recorded -> new Outcome.Refused(Refusals.unknown(claim.call(), PROVEN_LATE, null)));
        }

        private CompletionStage<Outcome> stillUnknown(String reason, @Nullable Throwable cause) {
            String why = cause == null ? Failures.reason(reason) : failures.reason(reason, cause, claim);
            return settle(new Verdict.InDoubt(why)).thenApply(settled -> {
                reportIfStale(settled);
                return new Outcome.Refused(Refusals.unknown(claim.call(), why, cause));
            });
        }

        CompletionStage<Outcome> body() {
            return Stages.compose(
                    StoreInvoker.<@Nullable Object>started(claim.call().body()::run, claim)
                            .handle((value, failure) -> failure == null ? returned(value) : threw(failure)),
                    Function.identity());
        }

        private CompletionStage<Outcome> returned(@Nullable Object value) {
            return record(Verdict.returned(claim, value), recorded -> new Outcome.Executed(value, recorded));
        }

        /** After a stale owner the recorded outcome is the one that every caller learns, this one included. */
        private CompletionStage<Outcome> record(Verdict verdict, Function<Outcome.Recorded, Outcome> answer) {
            return Stages.compose(settle(verdict), settled -> {
                reportIfStale(settled);
                if (settled.isPresent() && OutcomeRecorder.stillHeld(settled.get(), claim.ownership())) {
                    return record(new Verdict.InDoubt(NO_EFFECT_LATE), answer);
                }
                StoredRecord current =
                        settled.isPresent() && settled.get() instanceof Settled.Stale stale ? stale.current() : null;
                return CompletableFuture.completedFuture(
                        current == null ? answer.apply(recorded(settled, verdict)) : Replay.of(claim.call(), current));
            });
        }

        private CompletionStage<Outcome> threw(Throwable failure) {
            Effect effect = failures.effect(failure, claim);
            Verdict verdict = Verdict.threw(claim, failure, effect, failures);
            return record(verdict, recorded -> new Outcome.Threw(Failures.ofBody(failure), effect, recorded))
                    .thenApply(outcome -> keeping(failure, outcome));
        }

        /** What the body of a stale owner threw is not its caller's answer, but is not lost either. */
        private Outcome keeping(Throwable failure, Outcome outcome) {
            if (!(outcome instanceof Outcome.Threw)) {
                LOG.error(
                        "Idempotent operation '{}' [key {}]: the body of attempt {} failed after its claim was lost; its"
                                + " caller is given what the record says",
                        claim.operation(),
                        claim.call().id(),
                        claim.attempt(),
                        Textless.of(failure));
            }
            if (outcome instanceof Outcome.Refused refused) {
                refused.reason().addSuppressed(failure);
            }
            return outcome;
        }

        /** The lease is kept until the store knows: the claim is not to be taken over while that is being tried. */
        private CompletionStage<Optional<Settled>> settle(Verdict verdict) {
            renewal.settling();
            runningHere.ends(claim); // before the store is told: a call that comes after its answer must ask the store
            CompletionStage<Optional<Settled>> settling = recorder.settle(invoker, claim, verdict, renewal::stop);
            scope.handOverRenewal();
            return settling;
        }

        private void reportIfStale(Optional<Settled> settled) {
            if (settled.isPresent()
                    && settled.get() instanceof Settled.Stale stale
                    && !OutcomeRecorder.stillHeld(stale, claim.ownership())) {
                reportStale(stale.current());
            }
        }

        private void reportStale(@Nullable StoredRecord current) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: the outcome of attempt {} (fence {}) came too late and was not"
                            + " recorded; the record is now {}",
                    claim.operation(),
                    claim.call().id(),
                    claim.attempt(),
                    claim.fence(),
                    current == null ? "gone" : current.state() + " with fence " + current.fence());
            Listeners.tell(claim, OutcomeListener.ClaimChange.OUTCOME_STALE, services.listeners());
        }

        private static Outcome.Recorded recorded(Optional<Settled> settled, Verdict verdict) {
            return settled.isPresent() && settled.get() instanceof Settled.Applied
                    ? verdict.recorded()
                    : Outcome.Recorded.DEGRADED;
        }
    }
}
