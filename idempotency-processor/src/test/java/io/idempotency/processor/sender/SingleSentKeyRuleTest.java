package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SingleSentKeyRuleTest {

    @Test
    void twoKeysAreOneTooMany() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey String pay(@Body String o, @IdempotencyKey String a, @IdempotencyKey String b);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: one request carries one key, and a, b are each marked");
    }

    @Test
    void anExpressionAndAParameterAreOneTooMany() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey(key = \"#{ o }\") String pay(@Body String o, @IdempotencyKey String a);")
                        .errors())
                .singleElement()
                .asString()
                .contains("the key is given twice, as key = … and by @IdempotencyKey on a");
    }

    @Test
    void theKeysOfAnOperationAreTheOperations() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey @IdempotentOperation(\"pay\") String pay(@Body String o, @IdempotencyKey String a, @IdempotencyKey String b);")
                        .errors())
                .isEmpty();
    }

    @Test
    void eitherAloneIsFine() {
        assertThat(Clients.annotated("@SendsIdempotencyKey", """
                        @Post("/a") String pay(@Body String o, @IdempotencyKey String a);
                        @Post("/b") @SendsIdempotencyKey(key = "#{ o }") String payOut(@Body String o);
                        @Post("/c") String refund(@Body String o);
                        """).errors()).isEmpty();
    }
}
