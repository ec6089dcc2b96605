package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows. */
class PaymentsGuideTest {

    @Serdeable
    record ChargeRequest(String orderId, int cents) {}

    @Serdeable
    record Receipt(String orderId, int number) {}

    static class CardDeclined extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    interface Provider {
        Receipt charge(ChargeRequest request);
    }

    @Singleton
    static class Payments {

        private final Provider provider;

        Payments(Provider provider) {
            this.provider = provider;
        }

        // tag::charge[]
        @IdempotentOperation(value = "charge-payment", key = "request.orderId", noEffectFor = CardDeclined.class)
        Receipt charge(ChargeRequest request) {
            return provider.charge(request);
        }
        // end::charge[]

        @IdempotentOperation(value = "guide-remind", key = "request.orderId", onAbandoned = OnAbandoned.TAKE_OVER)
        Receipt remind(ChargeRequest request) {
            return provider.charge(request);
        }
    }

    // tag::fake[]
    @Singleton
    static class FakeProvider implements Provider {

        private final Effects charges;

        FakeProvider(IdempotencyTestKit kit) {
            this.charges = kit.effects("charge");
        }

        @Override
        public Receipt charge(ChargeRequest request) {
            return new Receipt(request.orderId(), charges.happen(request.orderId()));
        }
    }
    // end::fake[]

    @Nested
    // tag::test[]
    @MicronautTest(transactional = false)
    @IdempotencyTest
    class PaymentsTest {

        @Inject
        Payments payments;

        @Inject
        IdempotencyTestKit kit;

        final ChargeRequest request = new ChargeRequest("order-1", 500);

        // tag::clicks[]
        @Test
        void fiftyClicksAtOnceAreOneCharge() {
            kit.atOnce(50, () -> payments.charge(request));

            assertThat(kit.calls("charge-payment")).ranOnce();
            assertThat(kit.effects("charge")).happenedOnceFor("order-1");
        }
        // end::clicks[]

        @Test
        void afterACrashTheOutcomeIsUnknownOnceTheLeaseIsOver() {
            ChargeRequest other = new ChargeRequest("order-2", 500);
            kit.store().crashNextOwner();
            payments.charge(other);

            kit.skip(Duration.ofSeconds(31));

            assertThatThrownBy(() -> payments.charge(other)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(kit.calls("charge-payment")).ranOnce().inDoubt(1);
            assertThat(kit.effects("charge")).happenedOnceFor("order-2");
        }
    }
    // end::test[]

    @Nested
    @MicronautTest(transactional = false)
    @IdempotencyTest
    class EffectsOfRunsThatWerePermitted {

        @Inject
        Payments payments;

        @Inject
        IdempotencyTestKit kit;

        @Test
        void anEffectThatHappenedTwiceIsFoundAlthoughThePolicyPermittedTheSecondRun() {
            ChargeRequest request = new ChargeRequest("order-3", 500);
            kit.store().crashNextOwner();
            payments.remind(request);
            kit.skip(Duration.ofSeconds(31));
            payments.remind(request);

            assertThat(kit.effects("charge")).happened(2);
            assertThatThrownBy(() -> assertThat(kit.effects("charge")).happenedOnceFor("order-3"))
                    .hasMessage("Expected one effect for order-3, but 'charge' happened 2 times: {order-3=2}");
            assertThatThrownBy(() -> assertThat(kit.effects("charge")).neverHappenedTwice())
                    .hasMessageContaining("at most one effect for each key");
        }

        @Test
        void eachTestCountsFromZero() {
            assertThat(kit.effects("charge")).neverHappened().neverHappenedFor("order-3");
            payments.charge(new ChargeRequest("order-4", 500));
            assertThat(kit.effects("charge")).happenedOnce().neverHappenedTwice();
        }
    }
}
