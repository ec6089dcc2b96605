package io.idempotency.processor.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SenderRetryRuleTest {

    private static Compilation pay(String annotations) {
        return Clients.compile("@Post(\"/a\") " + annotations + " String pay(@Body String order);");
    }

    @ParameterizedTest
    @CsvSource({
        "delay = \"1w\", is not a duration",
        "maxDelay = \"0s\", is not a duration",
        "retries = -1, retries = -1 is negative",
    })
    void whatMeansNothingIsRefused(String attribute, String problem) {
        assertThat(pay("@SendsIdempotencyKey(" + attribute + ")").errors())
                .singleElement()
                .asString()
                .startsWith("Psp.java:11:")
                .contains("Psp.pay: ", problem);
    }

    @Test
    void twoKindsOfRetriesAreWarnedOf() {
        Compilation both = pay("@SendsIdempotencyKey(retries = 2) @Retryable");
        assertThat(both.errors()).isEmpty();
        assertThat(both.warnings()).singleElement().asString().contains("Psp.pay: @Retryable and retries = 2 multiply");
    }

    @Test
    void oneKindIsFine() {
        assertThat(pay("@SendsIdempotencyKey @Retryable").warnings()).isEmpty();
        assertThat(pay("@SendsIdempotencyKey(retries = 2, delay = \"100ms\", maxDelay = \"PT5S\")")
                        .warnings())
                .isEmpty();
    }
}
