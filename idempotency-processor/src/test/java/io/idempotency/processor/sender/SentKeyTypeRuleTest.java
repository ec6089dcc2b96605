package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentKeyTypeRuleTest {

    private static String method(String type) {
        return "enum Size { S } @Post(\"/a\") @SendsIdempotencyKey String pay(@Body String o, @IdempotencyKey " + type
                + " id);";
    }

    @ParameterizedTest
    @ValueSource(strings = {"String", "CharSequence", "UUID", "int", "long", "Long", "java.math.BigInteger", "Size"})
    void whatHasOneTextIsAKey(String type) {
        assertThat(Clients.compile(method(type)).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"boolean", "double", "Object", "Date", "byte[]", "List<String>", "java.math.BigDecimal"})
    void whatHasNotIsRefused(String type) {
        assertThat(Clients.compile(method(type)).errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: the @IdempotencyKey 'id' is a ", "Take a String, a UUID");
    }
}
