package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationRuleTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", "24", "24 h", "24H", "-1s", "0s", "1w", "1h30m", "PT0S", "-PT1S", "999999999999999d", "soon"
            })
    void whatIsNoDurationIsReportedWithItsAttribute(String text) {
        for (String attribute : new String[] {"retention", "lease", "waitTimeout"}) {
            assertThat(Payments.errors(method(attribute, text)))
                    .singleElement()
                    .asString()
                    .startsWith("Payments.java:10:")
                    .endsWith("Payments.pay: " + attribute + " = \"" + text + "\" is not a duration of at least a"
                            + " millisecond. Write 500ms, 30s, 15m, 24h, 30d or ISO-8601 (PT30S).");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "30s, PT30S",
        "15m, PT15M",
        "24h, PT24H",
        "30d, PT720H",
        "PT30S, PT30S",
        "P1DT1H, PT25H",
        "PT0.001S, PT0.001S"
    })
    void theThreeWaysToWriteOneGiveItToTheMillisecond(String text, Duration expected) {
        assertThat(Payments.load(method("waitTimeout", text)).definition().attributes())
                .containsEntry("waitTimeout", expected.toString());
    }

    private static String method(String attribute, String text) {
        return "@IdempotentOperation(" + attribute + " = \"" + text + "\") void pay(String id) {}";
    }
}
