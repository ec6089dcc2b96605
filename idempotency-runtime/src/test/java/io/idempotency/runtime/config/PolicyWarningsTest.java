package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.retry.annotation.Retryable;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the compiler finds in an annotation is found in the configuration when the application starts. */
class PolicyWarningsTest {

    @Singleton
    @Requires(property = "spec.name", value = "PolicyWarningsTest")
    static class Payments {

        @IdempotentOperation(value = "warned-pay", onFailure = OnFailure.RELEASE)
        @Retryable
        void pay(@IdempotencyKey String id) {}

        @IdempotentOperation(value = "warned-wait", whenInProgress = WhenInProgress.WAIT)
        void wait(@IdempotencyKey String id) {}

        @IdempotentOperation("warned-arguments")
        void arguments(String id) {}

        @Reconciles("warned-pay")
        Reconciliation<Void> found(String id) {
            return Reconciliation.absent();
        }
    }

    private static List<String> warnings(String... properties) {
        Map<String, Object> all = new HashMap<>(Map.of("spec.name", "PolicyWarningsTest"));
        for (String property : properties) {
            all.put("idempotency." + property.split("=", 2)[0], property.split("=", 2)[1]);
        }
        try (LogLines lines = LogLines.of(PolicyWarnings.class);
                ApplicationContext context = ApplicationContext.run(all)) {
            return lines.events().stream()
                    .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "operations.warned-pay.wait-timeout=5s, when-in-progress is REJECT",
        "operations.warned-pay.lease=500ms, Write at least 1s",
        "operations.warned-arguments.key-required=false, never absent",
        "operations.warned-pay.key-format=UUID, does not come from an Idempotency-Key header",
        "operations.warned-pay.on-abandoned=REFUSE, is never asked",
        "operations.warned-pay.on-failure=REMEMBER, never runs the body",
    })
    void eachIsOneWarningWithTheOperationAndTheProperty(String property, String why) {
        String name = property.split("[.]")[1];
        assertThat(warnings(property))
                .singleElement()
                .asString()
                .startsWith("WARN idempotency." + property.split("=")[0] + " of operation '" + name + "'")
                .contains("Payments." + name.substring("warned-".length()) + "(", why);
    }

    @Test
    void aShortLeaseOfAllIsNamedAsWhatItIs() {
        assertThat(warnings("lease=500ms", "operations.warned-wait.lease=2s"))
                .hasSizeGreaterThan(1)
                .noneMatch(line -> line.contains("'warned-wait'"))
                .anyMatch(line -> line.startsWith("WARN idempotency.lease of operation 'warned-pay'"));
    }

    @Test
    void whatIsReadIsNoWarning() {
        assertThat(warnings(
                        "operations.warned-wait.wait-timeout=5s",
                        "operations.warned-pay.when-in-progress=WAIT",
                        "operations.warned-pay.wait-timeout=5s",
                        "operations.warned-pay.lease=1s",
                        "operations.warned-pay.on-abandoned=RECONCILE",
                        "operations.warned-pay.on-failure=REMEMBER",
                        "operations.warned-pay.no-effect-for=java.lang.IllegalStateException",
                        "wait-timeout=5s",
                        "on-abandoned=REFUSE"))
                .isEmpty();
    }
}
