package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class RetentionRuleTest {

    @Test
    void aRetentionShorterThanTheLeaseIsReported() {
        assertThat(Payments.errors("@IdempotentOperation(retention = \"10s\", lease = \"1m\") void pay(String id) {}"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("retention = \"10s\" is shorter than lease = \"1m\"", "Raise the retention.");
    }

    @Test
    void aRetentionAsLongAsTheLeaseIsFine() {
        assertThat(Payments.errors("@IdempotentOperation(retention = \"60s\", lease = \"1m\") void pay(String id) {}"))
                .isEmpty();
    }

    @Test
    void oneLeftOutIsComparedAtStartUp() {
        assertThat(Payments.errors("@IdempotentOperation(retention = \"1s\") void pay(String id) {}"))
                .isEmpty();
    }
}
