package io.idempotency.processor.sender;

import io.idempotency.processor.rule.Problems;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.stream.Collectors;

/** The key comes from one place. */
final class SingleSentKeyRule implements SenderRule {

    @Override
    public void check(SenderMethod method, Problems problems) {
        List<ParameterElement> keys = method.keys();
        String names = keys.stream().map(ParameterElement::getName).collect(Collectors.joining(", "));
        if (keys.size() > 1) {
            method.error(
                    problems,
                    "one request carries one key, and " + names
                            + " are each marked with @IdempotencyKey. Mark one, or put"
                            + " them together in key = \"#{…}\".");
        } else if (!keys.isEmpty() && method.sets("key")) {
            method.error(
                    problems,
                    "the key is given twice, as key = … and by @IdempotencyKey on " + names + ". Remove one of them.");
        }
    }
}
