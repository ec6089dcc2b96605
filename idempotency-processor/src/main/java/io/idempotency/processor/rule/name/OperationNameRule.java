package io.idempotency.processor.rule.name;

import io.idempotency.definition.OperationName;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names become configuration keys and metric tags, so they are kebab-case. */
public final class OperationNameRule implements OperationRule {

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+");

    @Override
    public void check(Operation operation, Problems problems) {
        for (String attribute : List.of("value", "namespace")) {
            String name = operation.method().text(attribute);
            if (!name.isEmpty() && !OperationName.isKebabCase(name)) {
                problems.reportValue(
                        RuleId.OPERATION_NAME,
                        operation,
                        attribute,
                        what(attribute) + " '" + name
                                + "' is not kebab-case, which it must be as a configuration key and"
                                + " a metric tag. Write '" + kebabCase(name) + "'.");
            }
            if (name.length() > OperationName.MAX_LENGTH) {
                problems.reportValue(
                        RuleId.OPERATION_NAME,
                        operation,
                        attribute,
                        what(attribute) + " '" + name + "' has " + name.length() + " characters; "
                                + OperationName.MAX_LENGTH + " are allowed. Shorten it.");
            }
        }
    }

    private static String what(String attribute) {
        return attribute.equals("value") ? "the operation's name" : "the namespace";
    }

    private static String kebabCase(String name) {
        String kebab = HUMP.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
        String trimmed = kebab.replaceAll("^[-0-9]+|-+$", "");
        return trimmed.isEmpty() ? "charge-payment" : trimmed;
    }
}
