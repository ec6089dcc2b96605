package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transaction asks no reconciler, so what only a reconciler could permit is refused, first at start-up. */
class TransactionalDoubtTest {

    private static final ResultCodec NOTHING = new ResultCodec() {
        @Override
        public byte[] encode(Object value) {
            return new byte[0];
        }

        @Override
        public Object decode(byte[] bytes) {
            return null;
        }
    };

    @ParameterizedTest
    @CsvSource({
        "idempotency.operations.book-entry.on-abandoned, RECONCILE, asks no reconciler",
        "idempotency.on-abandoned, RECONCILE, asks no reconciler",
        "idempotency.operations.book-entry.on-store-failure, PROCEED, so is the body's",
        "idempotency.on-store-failure, PROCEED, so is the body's"
    })
    void aConfigurationThatNeedsTwoTransactionsIsRefusedAtStartUp(String property, String value, String why) {
        Place place = Place.h2();
        place.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
        assertThatThrownBy(() ->
                        place.application("test.ledger", true, property, value).close())
                .hasStackTraceContaining("is transactional")
                .hasStackTraceContaining(why);
    }

    @Test
    void anAbandonedRunIsNotRunAgainInATransactionWhateverTheReconcilerWouldSay() {
        try (ApplicationContext application = Place.h2().application()) {
            IdempotencyStore store = Calls.store(application);
            Calls.get(store.doubt(Calls.own(store, Calls.claim("k")), "the node died", Calls.RETENTION));
            AtomicInteger bodies = new AtomicInteger();
            Outcome outcome = application
                    .getBean(IdempotencyEngine.class)
                    .execute(new Invocation(
                            operation(store),
                            Calls.id("k"),
                            CallFingerprint.only("fingerprint"),
                            context -> CompletableFuture.completedFuture(bodies.incrementAndGet()),
                            context -> CompletableFuture.completedFuture(Reconciliation.absent())));
            assertThat(((Outcome.Refused) outcome).reason()).isInstanceOf(OutcomeUnknownException.class);
            assertThat(bodies).hasValue(0);
        }
    }

    private static Operation operation(IdempotencyStore store) {
        return new Operation(
                "charge",
                "test",
                store,
                NOTHING,
                Seal.NONE,
                new Operation.Policy(
                        Calls.RETENTION,
                        Calls.RETENTION,
                        Calls.LEASE,
                        WhenInProgress.REJECT,
                        Duration.ZERO,
                        OnFailure.REMEMBER,
                        Map.of(),
                        OnStoreFailure.FAIL,
                        OnAbandoned.RECONCILE,
                        true,
                        1000,
                        Duration.ZERO,
                        false));
    }
}
