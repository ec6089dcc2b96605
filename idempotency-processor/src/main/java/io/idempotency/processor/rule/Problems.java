package io.idempotency.processor.rule;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reports what the rules find, at the element that has to be changed, and each thing once. */
public final class Problems {

    private final VisitorContext context;
    private final Severities severities;
    private final Set<String> reported = new HashSet<>();
    private int errors;

    /** Reports to a compilation, as grave as its options say. */
    public Problems(VisitorContext context) {
        this.context = context;
        this.severities = new Severities(options(context));
    }

    /** Micronaut's own reading of them keeps those of earlier compilations of one JVM, of a build's daemon for instance. */
    private static Map<String, String> options(VisitorContext context) {
        return context instanceof JavaVisitorContext java
                ? java.getProcessingEnv().getOptions()
                : context.getOptions();
    }

    /** Reports what is wrong with the options of the compilation. */
    public void checkOptions() {
        severities.mistakes().forEach(mistake -> context.fail(mistake, null));
    }

    /** Reports at the method of an operation. */
    public void report(RuleId id, Operation operation, String message) {
        report(id, operation, message, operation.method().method());
    }

    /** Reports at an element of an operation. A method from a class file has no line, so every message names it. */
    public void report(RuleId id, Operation operation, String message, Element element) {
        OperationMethod method = operation.method();
        String named = method.owner().getSimpleName().replace('$', '.') + "."
                + method.method().getName() + ": " + message;
        report(id, method.origin(), named, element);
    }

    /** Reports at something that belongs to no operation. */
    public void report(RuleId id, String message, Element element) {
        report(id, "", message, element);
    }

    private void report(RuleId id, String origin, String message, Element element) {
        Severities.Severity severity = severities.of(id, element);
        if (severity == Severities.Severity.ERROR) {
            errors++;
        }
        if (severity != Severities.Severity.OFF && reported.add(origin + message)) {
            String text = message + id.reference();
            if (severity == Severities.Severity.ERROR) {
                context.fail(text, element);
            } else {
                context.warn(text, element);
            }
        }
    }

    /** How many errors there were. */
    public int errors() {
        return errors;
    }
}
