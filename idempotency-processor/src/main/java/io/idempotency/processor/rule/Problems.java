package io.idempotency.processor.rule;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.HashSet;
import java.util.Set;

/** Reports what the rules find, at the element that has to be changed, and each thing once. */
public final class Problems {

    private final VisitorContext context;
    private final Set<String> reported = new HashSet<>();
    private int errors;

    /** Reports to a compilation. */
    public Problems(VisitorContext context) {
        this.context = context;
    }

    /** Reports at the method what stops the compilation. */
    public void error(Operation operation, String message) {
        error(operation, message, operation.method().method());
    }

    /** Reports what stops the compilation. */
    public void error(Operation operation, String message, Element element) {
        errors++;
        if (reported.add(operation.method().origin() + message)) {
            context.fail(named(operation.method(), message), element);
        }
    }

    /** Reports at the method what is probably wrong. */
    public void warning(Operation operation, String message) {
        warning(operation, message, operation.method().method());
    }

    /** Reports what is probably wrong. */
    public void warning(Operation operation, String message, Element element) {
        if (reported.add(operation.method().origin() + message)) {
            context.warn(named(operation.method(), message), element);
        }
    }

    /** Reports what stops the compilation at something that belongs to no operation. */
    public void error(String message, Element element) {
        errors++;
        if (reported.add(message)) {
            context.fail(message, element);
        }
    }

    /** Reports what is probably wrong with something that belongs to no operation of this compilation. */
    public void warning(String message, Element element) {
        if (reported.add(message)) {
            context.warn(message, element);
        }
    }

    /** How many errors there were. */
    public int errors() {
        return errors;
    }

    /** A method from a class file has no line to report at, so every message names it. */
    private static String named(OperationMethod method, String message) {
        return method.owner().getSimpleName().replace('$', '.') + "."
                + method.method().getName() + ": " + message;
    }
}
