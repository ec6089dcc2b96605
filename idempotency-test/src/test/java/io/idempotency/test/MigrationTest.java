package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The change from a check of one's own in docs/comparison.md: keys from before are not run again. */
@MicronautTest(transactional = false)
@IdempotencyTest
class MigrationTest {

    @Serdeable
    record Charge(String orderId, int cents) {}

    @Serdeable
    record Receipt(String orderId, int number) {}

    @Singleton
    static class FormerKeys {
        final Map<String, Receipt> known = new ConcurrentHashMap<>();

        Optional<Receipt> find(String orderId) {
            return Optional.ofNullable(known.get(orderId));
        }
    }

    @Singleton
    static class Provider {
        final AtomicInteger charges = new AtomicInteger();

        Receipt charge(Charge charge) {
            return new Receipt(charge.orderId(), charges.incrementAndGet());
        }
    }

    @Singleton
    static class Payments {

        private final FormerKeys formerKeys; // the table or the Redis keys of your own check, now only read
        private final Provider provider;

        Payments(FormerKeys formerKeys, Provider provider) {
            this.formerKeys = formerKeys;
            this.provider = provider;
        }

        // tag::both[]
        @IdempotentOperation(value = "charge-once", key = "charge.orderId")
        Receipt charge(Charge charge) {
            return formerKeys.find(charge.orderId()).orElseGet(() -> provider.charge(charge));
        }
        // end::both[]
    }

    @Inject
    Payments payments;

    @Inject
    FormerKeys formerKeys;

    @Inject
    Provider provider;

    @Test
    void aKeyFromBeforeGetsItsAnswerFromBefore() {
        formerKeys.known.put("o-1", new Receipt("o-1", 7));

        assertThat(payments.charge(new Charge("o-1", 500))).isEqualTo(new Receipt("o-1", 7));
        assertThat(payments.charge(new Charge("o-2", 500))).isEqualTo(payments.charge(new Charge("o-2", 500)));
        assertThat(provider.charges).hasValue(1);
    }
}
