package io.idempotency.test.engine;

import static io.idempotency.test.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OperationInProgressException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duplicates that wait. */
class WaitingTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    @BeforeEach
    void aBodyIsRunning() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.callAsync("k", context -> answer);
    }

    private CompletionStage<Outcome> duplicate() {
        return engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
    }

    @Test
    void aWaiterGetsTheStoredResult() {
        CompletionStage<Outcome> waiter = duplicate();
        engine.time.pass(Duration.ofSeconds(5));
        assertThat(waiter.toCompletableFuture()).isNotDone();

        answer.complete("first");
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(waiter.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aWaiterThatGivesUpLeavesTheOwnersRecordAlone() {
        CompletionStage<Outcome> waiter = duplicate();
        engine.time.pass(Duration.ofSeconds(11));
        refusal(waiter.toCompletableFuture().join(), OperationInProgressException.class);

        answer.complete("first");
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aWaiterLearnsThatTheBodyFailed() {
        CompletionStage<Outcome> waiter = duplicate();
        answer.completeExceptionally(new IllegalStateException("declined"));
        engine.time.pass(Duration.ofSeconds(1));
        refusal(waiter.toCompletableFuture().join(), PreviousAttemptFailedException.class);
    }

    @Test
    void afterAReleaseExactlyOneOfManyWaitersRunsTheBody() {
        engine.declaredEffects = Map.of(IllegalStateException.class, Effect.NONE);
        CompletableFuture<Object> released = new CompletableFuture<>();
        engine.callAsync("other", context -> released);
        CompletionStage<Outcome> one = engine.callAsync("other", context -> CompletableFuture.completedFuture("again"));
        CompletionStage<Outcome> two = engine.callAsync("other", context -> CompletableFuture.completedFuture("again"));
        released.completeExceptionally(new IllegalStateException("nothing was sent"));
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(java.util.List.of(
                        one.toCompletableFuture().join(),
                        two.toCompletableFuture().join()))
                .containsExactlyInAnyOrder(new Outcome.Executed("again", Recorded.YES), new Outcome.Replayed("again"));
    }
}
