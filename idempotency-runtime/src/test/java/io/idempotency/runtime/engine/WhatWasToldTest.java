package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes with one store: after anybody was told that the outcome is unknown, the body does not run. */
class WhatWasToldTest {

    private static final Duration DAY = Duration.ofDays(1);

    private final Engine engine = new Engine();
    private final Engine other = engine.onAnotherNode();

    private void claimWithoutAnAnswer() {
        engine.store.refuse(Call.values());
        engine.store.loseReply(Call.CLAIM);
        refusal(engine.call("k", context -> "never"), IdempotencyStoreUnavailableException.class);
    }

    @Test
    void aClaimWhoseAnswerWasLostIsNotGivenBackOnceOthersWereToldThatItIsInDoubt() {
        claimWithoutAnAnswer();
        refusal(other.call("k", context -> "second"), OperationInProgressException.class);
        engine.time.pass(Engine.LEASE);
        refusal(other.call("k", context -> "second"), OutcomeUnknownException.class);

        engine.store.mend();
        engine.time.pass(DAY);
        assertThat(refusal(other.call("k", context -> "second"), OutcomeUnknownException.class))
                .hasMessageContaining("the body was not run");
        assertThat(engine.bodies.get() + other.bodies.get()).isZero();
    }

    @Test
    void aClaimWhoseAnswerWasLostIsGivenBackWhileOthersAreToldThatItIsInProgress() {
        claimWithoutAnAnswer();
        refusal(other.call("k", context -> "second"), OperationInProgressException.class);
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(10));
        assertThat(other.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyThatEndsWithoutEffectAfterItsLeaseDoesNotFreeTheKey(boolean renewed) {
        engine.onFailure = OnFailure.RELEASE;
        CompletableFuture<Object> body = new CompletableFuture<>();
        CompletionStage<Outcome> owner = sleepingOwner(body);
        refusal(other.call("k", context -> "second"), OutcomeUnknownException.class);
        engine.store.mend();
        if (renewed) {
            engine.time.pass(Engine.LEASE);
            refusal(other.call("k", context -> "second"), OperationInProgressException.class);
        }

        IllegalStateException declined = new IllegalStateException("declined");
        body.completeExceptionally(declined);
        assertThat(owner.toCompletableFuture().join())
                .isEqualTo(new Outcome.Threw(declined, Effect.FINAL, Recorded.IN_DOUBT));
        assertThat(refusal(other.call("k", context -> "second"), OutcomeUnknownException.class))
                .hasMessageContaining("the body ended without effect");
        assertThat(other.bodies).hasValue(0);
    }

    @Test
    void aReleaseThatTheStoreTakesLongAfterItsCallerHasGoneDoesNotFreeTheKeyEither() {
        engine.store.refuse(Call.RELEASE, Call.RENEW);
        engine.callAsync("k", context -> {
            context.noEffect();
            return CompletableFuture.completedFuture("declined");
        });
        engine.time.pass(Engine.LEASE.plusSeconds(5));
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(2));
        assertThat(refusal(other.call("k", context -> "second"), OutcomeUnknownException.class))
                .hasMessageContaining("the body ended without effect");
        engine.nothingIsLeft();
    }

    @Test
    void aBodyThatEndsWithoutEffectAfterItsLeaseCanBeTakenOver() {
        engine.onFailure = OnFailure.RELEASE;
        other.onAbandoned = OnAbandoned.TAKE_OVER;
        CompletableFuture<Object> body = new CompletableFuture<>();
        sleepingOwner(body);
        body.completeExceptionally(new IllegalStateException("declined"));
        assertThat(other.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    private CompletionStage<Outcome> sleepingOwner(CompletableFuture<Object> body) {
        engine.store.refuse(Call.RENEW);
        CompletionStage<Outcome> owner = engine.callAsync("k", context -> body);
        engine.time.pass(Engine.LEASE);
        return owner;
    }
}
