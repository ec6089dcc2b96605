package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.test.FaultyStore.Call;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whoever watches hears of every renewal that did not come in time. */
class LateRenewalTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> body = new CompletableFuture<>();

    @Test
    void oneThatIsNotOverWhenTheNextIsDueIsLate() {
        engine.store.hold(Call.RENEW);
        engine.callAsync("k", context -> body);
        engine.time.pass(Engine.LEASE.dividedBy(3).multipliedBy(3));
        assertThat(engine.changes).containsExactly(ClaimChange.NOT_RENEWED, ClaimChange.NOT_RENEWED);
        engine.store.mend();
        body.complete("done");
    }

    @Test
    void oneThatFailsIsLateAndOthersAreNot() {
        engine.callAsync("k", context -> body);
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(engine.changes).isEmpty();
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(engine.changes).containsExactly(ClaimChange.NOT_RENEWED);
        engine.store.mend();
        body.complete("done");
    }
}
