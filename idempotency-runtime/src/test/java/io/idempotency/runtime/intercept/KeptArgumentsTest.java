package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.codec.ArgumentsCodec;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The arguments that a claim keeps of an operation that an interface declares. */
@MicronautTest(startApplication = false)
@Property(name = "test.kept-arguments", value = "true")
@Property(name = "idempotency.encryption.key", value = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
class KeptArgumentsTest {

    interface Cards {
        @IdempotentOperation(
                value = "kept-card",
                key = "id",
                onAbandoned = OnAbandoned.RECONCILE,
                storeArguments = true)
        String charge(String id, String card, @NotFingerprinted String cvv) throws TimeoutException;
    }

    @Singleton
    @Requires(property = "test.kept-arguments")
    static class Gateway implements Cards {

        @Override
        public String charge(String id, String card, String cvv) throws TimeoutException {
            throw new TimeoutException();
        }

        @Reconciles("kept-card")
        Reconciliation<String> find(String id, String card, String cvv) {
            return Reconciliation.unknown("not asked");
        }
    }

    @Inject
    Cards cards;

    @Inject
    IdempotencyRecords records;

    @Inject
    OperationBinder operations;

    @Inject
    ArgumentsCodec kept;

    @Test
    void whatTheInterfaceLeavesOutIsNotKeptEither() {
        assertThatThrownBy(() -> cards.charge("o-1", "4711", "123")).isInstanceOf(TimeoutException.class);
        StoredRecord record =
                records.find("kept-card", "o-1", null).orElseThrow().record();
        Operation operation = operations.named("kept-card").orElseThrow().operation();
        assertThat(kept.in(operation, record)).isEqualTo(Map.of("id", "o-1", "card", "4711"));
    }
}
