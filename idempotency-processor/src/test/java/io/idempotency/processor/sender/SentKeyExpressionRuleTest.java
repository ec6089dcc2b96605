package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentKeyExpressionRuleTest {

    @Test
    void aKeyThatIsTheSameForEveryCallIsRefused() {
        assertThat(Clients.compile(
                                "@Post(\"/a\") @SendsIdempotencyKey(key = \"order.id\") String pay(@Body String order);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: key = \"order.id\" is the same for every call", "#{ order.id }");
    }

    @ParameterizedTest
    @CsvSource({"\"psp\", the name", "service = \"x\", service"})
    void whatIsOneMethodsBelongsOnTheMethod(String attribute, String named) {
        assertThat(Clients.annotated(
                                "@SendsIdempotencyKey(" + attribute + ")", "@Post(\"/a\") String pay(@Body String o);")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:10:")
                .contains("Psp: " + named + " in @SendsIdempotencyKey is one method's");
    }
}
