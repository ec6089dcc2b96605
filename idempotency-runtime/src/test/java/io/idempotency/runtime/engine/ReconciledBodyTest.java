package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyContext;
import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.RunningCall;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a reconciler declares and calls counts for itself, not for the body that runs after it. */
class ReconciledBodyTest {

    private final Engine engine = new Engine();

    /** The reconciler of an abandoned run does something under its claim, and proves that nothing was done. */
    private void provesAbsenceAfter(Consumer<IdempotencyContext> asking) {
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> {
            asking.accept(context);
            return CompletableFuture.completedFuture(Reconciliation.absent());
        };
        engine.store.crashNextOwner();
        engine.callAsync("k", context -> new CompletableFuture<>());
        engine.time.pass(Engine.LEASE.plusMillis(1));
        engine.bodies.set(0);
    }

    @Test
    void aReconcilerWithoutEffectReleasesNoBodyThatReturns() {
        provesAbsenceAfter(IdempotencyContext::noEffect);
        assertThat(engine.call("k", context -> "paid")).isEqualTo(new Outcome.Executed("paid", Recorded.YES));
        assertThat(engine.call("k", context -> "again")).isEqualTo(new Outcome.Replayed("paid"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aReconcilerWithoutEffectReleasesNoBodyThatTimesOut() {
        provesAbsenceAfter(IdempotencyContext::noEffect);
        engine.call("k", context -> {
            throw new TimeoutException("the provider did not answer");
        });
        engine.reconcileWith(Reconciliation.unknown("the provider is down"));
        refusal(engine.call("k", context -> "again"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aBodyMayStillDeclareThatItHadNoEffect() {
        provesAbsenceAfter(context -> {});
        assertThat(engine.call("k", context -> {
                    context.noEffect();
                    return "sold out";
                }))
                .isEqualTo(new Outcome.Executed("sold out", Recorded.RELEASED));
        assertThat(engine.call("k", context -> "paid")).isEqualTo(new Outcome.Executed("paid", Recorded.YES));
    }

    @Test
    void aQuestionThatTheReconcilerRepeatedHidesNoAttemptOfTheBody() {
        provesAbsenceAfter(context -> ((RunningCall) context).retried(new TimeoutException("no answer, asked again")));
        Outcome outcome = engine.call("k", context -> {
            throw new ConnectException("nothing was sent");
        });
        assertThat(((Outcome.Threw) outcome).effect()).isEqualTo(Effect.FINAL);
    }

    @Test
    void aCallOfTheReconcilerDoesNotTakeTheDerivedKeyOfTheBodysCall() {
        provesAbsenceAfter(context -> context.deriveKey("provider", "GET /payments"));
        String[] derived = new String[1];
        engine.call("k", context -> derived[0] = context.deriveKey("provider", "POST /payments"));
        assertThat(derived[0]).isNotNull();
    }
}
