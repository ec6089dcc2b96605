package io.idempotency.processor.rule;

import io.idempotency.definition.OperationName;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Requires names in kebab-case, like configuration keys and metric tags. An operation of a library must have a name, so
 * that renaming its class or method keeps the records of the library's users.
 */
record OperationNameRule(boolean library) implements OperationRule {

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+");

    @Override
    public void check(Operation operation, Problems problems) {
        for (String attribute : List.of("value", "namespace")) {
            String name = operation.method().text(attribute);
            String what = (attribute.equals("value") ? "the operation's name '" : "the namespace '") + name;
            Problems.Report report = problems.of(RuleId.OPERATION_NAME, operation, attribute);
            if (!name.isEmpty() && !OperationName.isKebabCase(name)) {
                report.say(
                        what + "' is not kebab-case, which it must be as a configuration key and a metric tag. Write '"
                                + kebabCase(name) + "'.");
            }
            if (name.length() > OperationName.MAX_LENGTH) {
                report.say(what + "' has " + name.length() + " characters; " + OperationName.MAX_LENGTH
                        + " are allowed. Shorten it.");
            }
        }
        if (library && operation.method().text("value").isEmpty()) {
            problems.of(RuleId.LIBRARY_NAME, operation)
                    .say("an operation of a library needs a name of its own, or renaming the method forgets what the"
                            + " library's users have recorded under '"
                            + operation.method().name() + "'. Write @IdempotentOperation(\"…\").");
        }
    }

    private static String kebabCase(String name) {
        String kebab = HUMP.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
        String trimmed = kebab.replaceAll("^[-0-9]+|-+$", "");
        return trimmed.isEmpty() ? "charge-payment" : trimmed;
    }
}
