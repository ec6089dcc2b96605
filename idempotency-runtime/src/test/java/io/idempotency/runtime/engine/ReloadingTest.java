package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.ResultCodec;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Results that are not stored, and the method of the application that finds them. */
class ReloadingTest {

    private final Engine engine = new Engine();
    private final AtomicInteger reloads = new AtomicInteger();

    @BeforeEach
    void resultsAreFoundElsewhere() {
        engine.maxResultSize = 3;
        engine.reloader = context -> {
            reloads.incrementAndGet();
            return CompletableFuture.completedFuture("found");
        };
    }

    @Test
    void aResultThatIsTooLargeIsReloadedForEveryDuplicate() {
        assertThat(engine.call("k", context -> "large")).isEqualTo(new Outcome.Executed("large", Recorded.YES));
        assertThat(reloads).hasValue(0);
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(reloads).hasValue(2);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aResultThatCannotBeEncodedOrDecodedIsReloaded() {
        engine.call("unencodable", context -> 42);
        assertThat(engine.call("unencodable", context -> "second")).isEqualTo(new Outcome.Replayed("found"));

        engine.call("undecodable", context -> "abc");
        engine.codec = new ResultCodec() {
            @Override
            public byte[] encode(Object value) {
                return new byte[0];
            }

            @Override
            public Object decode(byte[] bytes) {
                throw new AssertionError("the type has changed");
            }
        };
        assertThat(engine.call("undecodable", context -> "second")).isEqualTo(new Outcome.Replayed("found"));
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aResultThatIsStoredIsNotReloaded() {
        engine.call("k", context -> "abc");
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("abc"));
        assertThat(reloads).hasValue(0);
    }

    @Test
    void nothingButASuccessIsReloaded() {
        engine.call("failed", context -> {
            throw new IllegalStateException();
        });
        engine.call("unknown", context -> {
            throw new TimeoutException();
        });
        refusal(engine.call("failed", context -> "second"), PreviousAttemptFailedException.class);
        refusal(engine.call("unknown", context -> "second"), OutcomeUnknownException.class);
        assertThat(reloads).hasValue(0);
    }

    @Test
    void whatTheReloadThrowsIsTheCauseOfTheRefusalAndTheBodyIsNotRun() {
        engine.call("k", context -> "large");
        IllegalStateException down = new IllegalStateException("database is down");
        engine.reloader = context -> {
            throw down;
        };
        ResultUnavailableException refused =
                refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(refused).hasCause(down).hasMessageContaining("its @Reloads method failed");
        assertThat(refused.getSuppressed()).singleElement().asString().contains("5 bytes");
        assertThat(refused.executed()).isEqualTo(Executed.YES);

        engine.reloader = context -> CompletableFuture.failedFuture(new StackOverflowError());
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasCauseInstanceOf(StackOverflowError.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aReloadThatKnowsNothingNeverGivesADuplicateNull() {
        engine.call("k", context -> "large");
        engine.reloader = context -> CompletableFuture.completedFuture(null);
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("knows none");
        engine.reloader = context -> null;
        refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
    }

    @Test
    void theReloadKnowsTheKeysThatTheBodyDerived() {
        engine.call("k", context -> "large");
        engine.reloader = context -> CompletableFuture.completedFuture(context.deriveKey("psp"));
        assertThat(engine.call("k", context -> "second"))
                .isEqualTo(new Outcome.Replayed(Engine.id("k").derive("psp")));
    }

    @Test
    void anAsynchronousDuplicateWaitsForAnAsynchronousReload() {
        engine.call("k", context -> "large");
        CompletableFuture<Object> found = new CompletableFuture<>();
        engine.reloader = context -> found;
        CompletionStage<Outcome> duplicate =
                engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
        assertThat(duplicate.toCompletableFuture()).isNotDone();
        found.complete("found");
        engine.time.settle();
        assertThat(duplicate.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("found"));
    }
}
