package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Whoever watches hears of every renewal that did not come in time. */
class LateRenewalTest {

    private final Engine engine = new Engine();
    private final List<Duration> late = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Object> body = new CompletableFuture<>();

    private void start() {
        SameThread sameThread = new SameThread();
        OutcomeListener listener = new OutcomeListener() {
            @Override
            public void onLateRenewal(String operation, RecordId id, Duration left) {
                assertThat(operation).isEqualTo("pay");
                assertThat(id).isEqualTo(Engine.id("k"));
                late.add(left);
            }
        };
        IdempotencyEngine watched = new IdempotencyEngine(new ExecutionServices(
                engine.time,
                sameThread,
                sameThread,
                engine.time::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of(),
                1,
                RecordId::derive,
                new FailureSanitizer() {},
                List.of(listener)));
        watched.executeAsync(engine.invocation("k", "arguments", context -> body));
    }

    @Test
    void oneThatIsNotOverWhenTheNextIsDueIsLate() {
        engine.store.hold(Call.RENEW);
        start();
        engine.time.pass(Engine.LEASE.dividedBy(3).multipliedBy(3));
        assertThat(late).hasSize(2).first().isEqualTo(Engine.LEASE.dividedBy(3));
        engine.store.mend();
        body.complete("done");
    }

    @Test
    void oneThatFailsIsLateAndOthersAreNot() {
        start();
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(late).isEmpty();
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(late).hasSize(1);
        engine.store.mend();
        body.complete("done");
    }
}
