package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnStoreFailure;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.test.FaultyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Records whose fingerprints are of another form than this node writes, and those that are one caller's. */
class FormsTest {

    private static final String ALICE = "a".repeat(64);
    private static final String BOB = "b".repeat(64);

    private final Engine engine = new Engine();

    private Outcome call(CallFingerprint fingerprint) {
        return engine.executor.execute(new Invocation(
                engine.operation("pay"),
                Engine.id("k"),
                fingerprint,
                context -> {
                    engine.bodies.incrementAndGet();
                    return CompletableFuture.completedFuture("first");
                },
                null));
    }

    private static CallFingerprint newer(String older) {
        return new CallFingerprint("2:new", Map.of("1:", older)::get);
    }

    @Test
    void aRecordOfAnotherFormIsComparedInItsOwn() {
        call(CallFingerprint.only("1:arguments"));
        assertThat(call(newer("1:arguments"))).isEqualTo(new Outcome.Replayed("first"));
        assertThat(call(newer("1:arguments").marked(form -> null))).isEqualTo(new Outcome.Replayed("first"));
        refusal(call(newer("1:others")), IdempotencyKeyReusedException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aRecordThatWasReadIsNotForgottenWhenItsStoreGoesAway() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        call(CallFingerprint.only("1:arguments"));
        AtomicInteger claims = new AtomicInteger();
        engine.store.before(FaultyStore.Call.CLAIM, () -> {
            if (claims.incrementAndGet() == 2) {
                throw new IllegalStateException("away");
            }
        });
        refusal(call(newer("1:arguments")), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aRecordThatIsOnlyLookedAtIsComparedInItsOwnToo() {
        call(CallFingerprint.only("1:arguments"));
        engine.shutDown(Duration.ofSeconds(1));
        assertThat(call(newer("1:arguments"))).isEqualTo(new Outcome.Replayed("first"));
        refusal(call(newer("1:others")), IdempotencyKeyReusedException.class);
    }

    @Test
    void anotherCallerLearnsNothingNotEvenWhetherTheArgumentsAreTheSame() {
        CallFingerprint alice = CallFingerprint.only("1:arguments").marked(form -> ALICE);
        assertThat(alice.text()).isEqualTo("1:arguments~" + "a".repeat(22));
        call(alice);
        assertThat(call(newer("1:arguments").marked(form -> form.equals("1:") ? ALICE : BOB)))
                .isEqualTo(new Outcome.Replayed("first"));
        String same = told(CallFingerprint.only("1:arguments").marked(form -> BOB));
        String others = told(CallFingerprint.only("1:others").marked(form -> BOB));
        assertThat(same).isEqualTo(others).isEqualTo(told(CallFingerprint.only("1:arguments")));
        assertThat(told(CallFingerprint.only("1:others").marked(form -> ALICE))).isNotEqualTo(same);
        assertThat(engine.bodies).hasValue(1);
    }

    private String told(CallFingerprint fingerprint) {
        return ((Outcome.Refused) call(fingerprint)).reason().getMessage();
    }
}
