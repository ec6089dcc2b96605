package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Payments;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    @Test
    void whatIsLeftOutIsLeftToTheConfiguration() {
        OperationDefinition definition = Payments.load("@IdempotentOperation(\"pay\") void pay(String id) {}")
                .definition();

        assertThat(definition.name()).isEqualTo("pay");
        assertThat(definition.namespace()).isEqualTo("pay");
        assertThat(definition.store()).isNull();
        assertThat(definition.retention()).isNull();
        assertThat(definition.lease()).isNull();
        assertThat(definition.waitTimeout()).isNull();
        assertThat(definition.keyRequired()).isNull();
        assertThat(definition.whenInProgress()).isNull();
        assertThat(definition.onFailure()).isNull();
        assertThat(definition.onStoreFailure()).isNull();
        assertThat(definition.onAbandoned()).isNull();
        assertThat(definition.otherCallers()).isNull();
        assertThat(definition.noEffectFor()).isEmpty();
        assertThat(definition.finalFor()).isEmpty();
        assertThat(definition.unknownFor()).isEmpty();
        assertThat(definition.transactional()).isFalse();
        assertThat(definition.origin()).isEqualTo("demo.Payments.pay(java.lang.String)");
    }

    @Test
    void whatIsSetIsThereEvenWhereItIsTheDefault() {
        OperationDefinition definition = Payments.load("""
                @IdempotentOperation(value = "pay", namespace = "money", store = "jdbc", retention = "24h", lease = "30s",
                    waitTimeout = "10s", keyRequired = true, whenInProgress = WhenInProgress.REJECT,
                    onFailure = OnFailure.RELEASE, onAbandoned = OnAbandoned.TAKE_OVER, transactional = true,
                    otherCallers = OtherCallers.DEFAULT,
                    noEffectFor = {Declined.class, IllegalArgumentException.class},
                    finalFor = java.io.IOException.class, unknownFor = IllegalStateException.class)
                void pay(String id) {}
                static class Declined extends RuntimeException { private static final long serialVersionUID = 1; }
                """).definition();

        assertThat(definition.namespace()).isEqualTo("money");
        assertThat(definition.store()).isEqualTo("jdbc");
        assertThat(definition.retention()).isEqualTo(Duration.ofDays(1));
        assertThat(definition.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(definition.waitTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(definition.keyRequired()).isTrue();
        assertThat(definition.whenInProgress()).isEqualTo(WhenInProgress.REJECT);
        assertThat(definition.onFailure()).isEqualTo(OnFailure.RELEASE);
        assertThat(definition.onAbandoned()).isEqualTo(OnAbandoned.TAKE_OVER);
        assertThat(definition.otherCallers()).isEqualTo(OtherCallers.DEFAULT);
        assertThat(definition.transactional()).isTrue();
        assertThat(definition.noEffectFor())
                .extracting(Class::getSimpleName)
                .containsExactly("Declined", "IllegalArgumentException");
        assertThat(definition.finalFor()).isEqualTo(List.of(IOException.class));
        assertThat(definition.unknownFor()).isEqualTo(List.of(IllegalStateException.class));
    }
}
