package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.Refusal;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit of new keys counts those that got a record, and keeps a claim that would add one from the store. */
class NewKeyAdmissionTest {

    private static final NewKeyAdmission.Closed REACHED =
            new NewKeyAdmission.Closed("two a minute", Duration.ofSeconds(7));

    private final Engine engine = new Engine();
    private final AtomicInteger granted = new AtomicInteger();
    private boolean reached;

    @BeforeEach
    void limitNewKeys() {
        engine.admission = new NewKeyAdmission() {
            @Override
            public Optional<Closed> closed() {
                return reached ? Optional.of(REACHED) : Optional.empty();
            }

            @Override
            public void granted() {
                granted.incrementAndGet();
            }
        };
    }

    @Test
    void aKeyIsCountedOnceHoweverOftenItIsSent() {
        engine.call("k", context -> "first");
        engine.call("k", context -> "second");
        assertThat(granted).hasValue(1);
    }

    @Test
    void aRunThatIsTakenOverAddsNoKey() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.crashNextOwner();
        engine.callAsync("k", context -> new CompletableFuture<>());
        engine.time.pass(Engine.LEASE.plusMillis(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
        assertThat(granted).hasValue(1);
    }

    @Test
    void aKeyWhoseBodyRunsUnprotectedIsCountedBecauseItWillBeRecorded() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        engine.call("k", context -> "first");
        assertThat(granted).hasValue(1);
    }

    @Test
    void whereTheLimitIsReachedOnlyAKeyThatIsKnownIsClaimed() {
        engine.call("known", context -> "first");
        reached = true;
        assertThat(engine.call("known", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        int claims = engine.claims.get();

        IdempotencyException refused = refusal(engine.call("new", context -> "never"), Refusal.TOO_MANY_RECORDS);
        assertThat(refused).hasMessageContaining(REACHED.limit());
        assertThat(refused.retryAfter()).isEqualTo(REACHED.retryAfter());
        assertThat(engine.claims).as("the store was not asked to make a record").hasValue(claims);
        assertThat(engine.record("new")).isEmpty();
        assertThat(engine.bodies).hasValue(1);
        assertThat(engine.executor.running()).isZero();
    }

    @Test
    void whereTheLimitIsReachedAStoreThatIsAwayIsNoReasonToProceed() {
        reached = true;
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        refusal(engine.call("k", context -> "never"), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aStoreThatIsFullIsNoReasonToProceed() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.before(Call.CLAIM, () -> {
            throw new StoreFullException("it keeps two records", null);
        });
        assertThat(refusal(engine.call("k", context -> "never"), Refusal.TOO_MANY_RECORDS))
                .hasMessageContaining("it keeps two records");
        assertThat(engine.bodies).hasValue(0);
    }
}
