package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OnAbandoned;
import io.idempotency.Refusal;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.FaultyStore.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Callers whose keys are their own. */
class ForeignCallersTest {

    private final Engine engine = new Engine();

    private static String digest(String caller) {
        return caller == null ? null : new RecordId("0".repeat(64)).derive(caller);
    }

    private Outcome call(String caller, String key, String arguments, Engine.Body body) {
        return engine.call(
                key,
                CallFingerprint.only(arguments).marked(form -> digest(caller)).text(),
                body);
    }

    private void assertForeign(String caller, String key) {
        for (String arguments : List.of("arguments", "others")) {
            IdempotencyException refused =
                    refusal(call(caller, key, arguments, context -> "second"), Refusal.KEY_FOREIGN);
            assertThat(refused.executed()).isEqualTo(Executed.NO);
        }
    }

    @Test
    void anotherCallerIsRefusedInEveryStateBeforeTheArgumentsAreCompared() {
        call("alice", "completed", "arguments", context -> "first");
        call("alice", "failed", "arguments", context -> {
            throw new IllegalStateException();
        });
        call("alice", "in doubt", "arguments", context -> {
            throw new TimeoutException();
        });
        call("alice", "in progress", "arguments", context -> {
            assertForeign("bob", "in progress");
            return "first";
        });
        for (String key : List.of("completed", "failed", "in doubt", "in progress")) {
            assertForeign("bob", key);
            assertForeign(null, key);
        }
        assertThat(engine.bodies).hasValue(4);
    }

    @Test
    void theCallersOwnKeyWithOtherArgumentsIsReused() {
        call("alice", "k", "arguments", context -> "first");
        refusal(call("alice", "k", "others", context -> "second"), IdempotencyKeyReusedException.class);
        assertThat(call("alice", "k", "arguments", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void anotherCallerLearnsNotEvenForWhichOperationTheKeyWasUsed() {
        call("alice", "k", "arguments", context -> CompletableFuture.completedFuture("first"));
        Invocation other = new Invocation(
                engine.operation("refund"),
                Engine.id("k"),
                CallFingerprint.only("1:arguments").marked(form -> digest("bob")),
                context -> CompletableFuture.completedFuture("second"),
                null);
        IdempotencyException refused = refusal(engine.executor.execute(other), Refusal.KEY_FOREIGN);
        assertThat(refused).hasMessageNotContaining("'pay'");
    }

    @Test
    void anotherCallerNeverTakesOver() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.refuse(Call.RENEW);
        String alices = CallFingerprint.only("arguments")
                .marked(form -> digest("alice"))
                .text();
        engine.callAsync("k", alices, context -> new CompletableFuture<>());
        engine.time.pass(Engine.LEASE.plusMillis(1));
        assertForeign("bob", "k");
        assertThat(call("alice", "k", "arguments", context -> "second"))
                .isEqualTo(new Outcome.Executed("second", Outcome.Recorded.YES));
    }
}
