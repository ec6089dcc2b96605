package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failure whose answer is lost stays a failure: the reloader of results, which finds successes, is not asked. */
class LostAnswersTest {

    private final Engine engine = new Engine();
    private final AtomicInteger reloads = new AtomicInteger();

    @BeforeEach
    void successesAreFoundElsewhere() {
        engine.keepsMessages = true;
        engine.reloader = context -> {
            reloads.incrementAndGet();
            return CompletableFuture.completedFuture("found");
        };
    }

    private static FailureWithAnswer declined(byte[] answer) {
        return new FailureWithAnswer(new IllegalStateException("declined"), Effect.FINAL, answer);
    }

    @Test
    void anAnswerThatTheStoreCanNeverHoldLeavesTheFailure() {
        engine.store.before(Call.COMPLETE, () -> {
            throw new ResultRejectedException("3 bytes do not fit");
        });
        CompletableFuture<Outcome> first = engine.callAsync(
                        "k", context -> CompletableFuture.failedFuture(declined(new byte[3])))
                .toCompletableFuture();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(first.join().recorded()).isEqualTo(Recorded.YES);
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.FAILED);
        assertThat(refusal(engine.call("k", context -> "second"), PreviousAttemptFailedException.class)
                        .failureMessage())
                .isEqualTo("declined");
        assertThat(reloads).hasValue(0);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void anAnswerForWhichThereIsNoMemoryLeavesTheFailure() {
        int size = 1 << 20;
        int calls = (int) (PendingMessages.MOST_BYTES / size) + 10;
        engine.maxResultSize = size;
        CompletableFuture<Object> body = new CompletableFuture<>();
        for (int i = 0; i < calls; i++) {
            engine.callAsync("k" + i, context -> body);
        }
        engine.store.refuse(Call.values());
        body.completeExceptionally(declined(new byte[size - 1000]));
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        int alone = 0;
        for (int i = 0; i < calls; i++) {
            Outcome duplicate = engine.call("k" + i, context -> "second");
            refusal(duplicate, PreviousAttemptFailedException.class);
            alone += ((Outcome.Refused) duplicate).answer() == null ? 1 : 0;
        }
        assertThat(alone).isBetween(9, 11);
        assertThat(engine.bodies).hasValue(calls);
    }

    /** A newer version wrote it, and it may be a failure. */
    @Test
    void anOutcomeOfAnUnknownKindIsNotToldAsASuccess() {
        engine.seal = new Seal() {
            @Override
            public byte[] open(RecordId id, byte[] bytes) {
                byte[] unknown = Arrays.copyOf(OutcomeKind.FAILURE.mark(), 10);
                unknown[OutcomeKind.LENGTH - 1] = '?';
                return unknown;
            }
        };
        engine.call("k", context -> "first");
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("of a kind that this version does not know")
                .hasMessageNotContaining("succeeded");
        assertThat(reloads).hasValue(0);
        assertThat(engine.bodies).hasValue(1);
    }
}
