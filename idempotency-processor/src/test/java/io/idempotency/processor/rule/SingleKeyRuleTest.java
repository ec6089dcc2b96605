package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

class SingleKeyRuleTest {

    @Test
    void aPathAndAnAnnotatedParameterAreOneKeyTooMany() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(key = \"id\") void pay(String id, @IdempotencyKey String other) {}"))
                .containsExactly("Payments.java:10:28: Payments.pay: the key is given twice, as key = … and by"
                        + " @IdempotencyKey on other. Remove one of them.");
    }

    @Test
    void anExpressionAndAnAnnotatedParameterAreOneKeyTooMany() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"#{ id }\") void pay(@IdempotencyKey String id) {}"))
                .singleElement()
                .asString()
                .contains("the key is given twice");
    }

    @Test
    void eitherAloneIsFine() {
        assertThat(Payments.errors("""
                @IdempotentOperation(key = "id") void pay(String id) {}
                @IdempotentOperation void refund(@IdempotencyKey String id) {}
                @IdempotentOperation(key = "#{ id }") void payOut(String id) {}
                """)).isEmpty();
    }
}
