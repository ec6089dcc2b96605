package io.idempotency.processor.sender;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.rule.Problems;
import java.util.List;

/** The retries must mean something, and there should be one kind of them. */
final class SenderRetryRule implements SenderRule {

    private static final String RETRYABLE = "io.micronaut.retry.annotation.Retryable";

    @Override
    public void check(SenderMethod method, Problems problems) {
        for (String attribute : List.of("delay", "maxDelay")) {
            String written = method.method()
                    .stringValue(SendsIdempotencyKey.class, attribute)
                    .orElse("500ms");
            if (Durations.parse(written).isEmpty()) {
                method.error(
                        problems,
                        attribute + " = \"" + written + "\" is not a duration of at least a millisecond. Write 500ms,"
                                + " 30s, 15m or ISO-8601 (PT30S).");
            }
        }
        int retries =
                method.method().intValue(SendsIdempotencyKey.class, "retries").orElse(0);
        if (retries < 0) {
            method.error(problems, "retries = " + retries + " is negative. Write how often to send the request again.");
        }
        if (retries > 0 && method.method().hasStereotype(RETRYABLE)) {
            method.warning(
                    problems,
                    "@Retryable and retries = " + retries
                            + " multiply. Keep one of them; retries knows which answers are"
                            + " worth sending the request again.");
        }
    }
}
