package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnStoreFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many calls while the store is away. */
class OutageTest {

    private static final int CALLS = 12_000;
    private static final int MOST_KEPT = 10_000;

    private final Engine engine = new Engine();

    @ParameterizedTest
    @EnumSource
    void aLongOutageDoesNotFillTheHeap(OnStoreFailure onStoreFailure) {
        engine.settleBudget = Duration.ZERO;
        engine.onStoreFailure = onStoreFailure;
        engine.store.refuse(Call.values());
        assertThat(overflowsWhile(() -> {
                    for (int i = 0; i < CALLS; i++) {
                        engine.call("k" + i, context -> "result");
                    }
                }))
                .as("it is said once")
                .isOne();
        assertThat(engine.executor.backlog(engine.store).calls()).isEqualTo(MOST_KEPT);
        assertThat(engine.time.pendingTasks())
                .as("what is not kept leaves no second look at its claim behind")
                .isOne();

        engine.store.mend();
        engine.time.pass(Duration.ofHours(1));
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(0, 0));
        engine.nothingIsLeft();
        assertThat(engine.call("new", context -> "result")).isEqualTo(new Outcome.Executed("result", Recorded.YES));
    }

    private static long overflowsWhile(Runnable action) {
        return LogLines.during(Unrecorded.class, action).stream()
                .filter(line -> line.getFormattedMessage().contains("has still to be told reached"))
                .count();
    }

    /** What a caller is told at once ends an outage too, for what is reported. */
    @Test
    void anOutageThatBeginsAfterAnAnswerIsReportedWithItsCause() {
        CompletableFuture<Object> first = started("first");
        CompletableFuture<Object> second = started("second");
        CompletableFuture<Object> third = started("third");
        CompletableFuture<Object> fourth = started("fourth");
        assertThat(causesWhile(() -> {
                    engine.store.refuse(Call.COMPLETE);
                    first.complete("result");
                    second.complete("result");
                    engine.store.mend();
                    third.complete("result");
                    engine.store.refuse(Call.COMPLETE);
                    fourth.complete("result");
                }))
                .isEqualTo(2);
    }

    @Test
    void anOutcomeDoesNotWaitUntilAllLostClaimsAreGivenBack() {
        CompletableFuture<Object> body = started("owned");
        engine.store.refuse(Call.values());
        for (int i = 0; i < 1000; i++) {
            engine.call("k" + i, context -> "result");
        }
        body.complete("result");
        AtomicInteger givenBack = new AtomicInteger();
        AtomicInteger before = new AtomicInteger(-1);
        engine.store.mend();
        engine.store.before(Call.FIND, givenBack::incrementAndGet);
        engine.store.before(Call.COMPLETE, () -> before.compareAndSet(-1, givenBack.get()));
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(before).hasValueBetween(0, 1);
        assertThat(givenBack).hasValueGreaterThanOrEqualTo(1000);
    }

    /** As where one shard of a cluster is away, and the others answer a thousand calls in a second. */
    @Test
    void anOutcomeThatFailsAloneIsNotSentAgainWithEachCallThatSucceeds() {
        engine.call("broken", context -> {
            engine.store.refuse(Call.FAIL);
            throw new IllegalStateException("declined");
        });
        AtomicInteger attempts = new AtomicInteger();
        engine.store.before(Call.FAIL, attempts::incrementAndGet);
        for (int i = 0; i < 1000; i++) {
            engine.call("sound" + i, context -> "result");
            engine.time.pass(Duration.ofMillis(1));
        }
        assertThat(attempts).hasValueBetween(1, 10);
    }

    private CompletableFuture<Object> started(String key) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync(key, context -> answer);
        return answer;
    }

    private static long causesWhile(Runnable action) {
        return LogLines.during(Unrecorded.class, action).stream()
                .filter(line -> line.getFormattedMessage().contains("could not record"))
                .filter(line -> line.getThrowableProxy() != null)
                .count();
    }

    @Test
    void whatAnOwnedBodyDidIsKeptHoweverMuchElseThereIs() {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("owned", context -> answer);
        engine.store.refuse(Call.values());
        for (int i = 0; i < CALLS; i++) {
            engine.call("k" + i, context -> "result");
        }
        answer.complete("first");
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.call("owned", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void howMuchMemoryResultsTakeMeanwhileIsBounded() {
        int size = 1 << 20;
        int calls = (int) (PendingMessages.MOST_BYTES / size) + 10;
        engine.maxResultSize = size;
        CompletableFuture<Object> answer = new CompletableFuture<>();
        for (int i = 0; i < calls; i++) {
            engine.callAsync("k" + i, context -> answer);
        }
        engine.store.refuse(Call.values());
        answer.complete("x".repeat(size));
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        int omitted = 0;
        for (int i = 0; i < calls; i++) {
            Outcome outcome = engine.call("k" + i, context -> "second");
            if (outcome instanceof Outcome.Refused) {
                assertThat(refusal(outcome, ResultUnavailableException.class)).hasMessageContaining("memory");
                omitted++;
            }
        }
        assertThat(omitted).isBetween(10, 11);
        assertThat(engine.bodies).hasValue(calls);
    }

    /** A store that rejects one record for ever still takes the others. */
    @Test
    void whatCannotBeToldDoesNotHoldUpTheRest() {
        engine.callAsync("broken", context -> {
            engine.store.refuse(Call.FAIL);
            throw new IllegalStateException("declined");
        });
        engine.time.pass(Duration.ofMinutes(10));
        engine.store.refuse(Call.COMPLETE);
        engine.callAsync("sound", context -> CompletableFuture.completedFuture("first"));
        engine.store.mend();
        engine.store.refuse(Call.FAIL);
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.call("sound", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        refusal(engine.call("broken", context -> "second"), OperationInProgressException.class);
    }

    @Test
    void anOutageIsLoggedWithOneStackTrace() {
        try (LogLines lines = LogLines.ofLibrary()) {
            engine.callAsync("k", context -> {
                engine.store.refuse(Call.values());
                return CompletableFuture.completedFuture("first");
            });
            engine.call("other", context -> "second");
            engine.time.pass(Duration.ofMinutes(10));
            assertThat(lines.events())
                    .filteredOn(event -> event.getThrowableProxy() != null)
                    .hasSize(1);
        }
    }
}
