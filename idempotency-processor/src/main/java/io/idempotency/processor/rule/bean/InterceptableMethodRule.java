package io.idempotency.processor.rule.bean;

import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.MethodElement;

/** Calls must be able to pass through the interceptor, which is a subclass of the bean. */
public final class InterceptableMethodRule implements OperationRule {

    private static final String IN_KOTLIN = " (in Kotlin, where it is the default: make class and method open, or have"
            + " the all-open compiler plugin do so for the annotation of the class's scope)";

    @Override
    public void check(Operation operation, Problems problems) {
        MethodElement method = operation.method().method();
        if (method.isPrivate()) {
            problems.report(
                    RuleId.INTERCEPTABLE_METHOD,
                    operation,
                    notIntercepted("private", "Make it package-private, protected or public"));
        }
        if (method.isStatic()) {
            problems.report(
                    RuleId.INTERCEPTABLE_METHOD,
                    operation,
                    notIntercepted("static", "Make it an instance method of a bean"));
        }
        if (method.isFinal()) {
            problems.report(
                    RuleId.INTERCEPTABLE_METHOD, operation, notIntercepted("final", "Remove final" + IN_KOTLIN));
        }
        if (operation.method().produced() && !method.isPublic()) {
            problems.report(
                    RuleId.INTERCEPTABLE_METHOD,
                    operation,
                    notIntercepted("less than public in a bean of a @Factory", "Make it public"));
        }
        if (operation.method().owner().isFinal()) {
            problems.report(
                    RuleId.INTERCEPTABLE_METHOD,
                    operation,
                    "the class is final, so calls of the method cannot be intercepted and would run unprotected. Remove"
                            + " final" + IN_KOTLIN + ".");
        }
    }

    private static String notIntercepted(String what, String remedy) {
        return "an @IdempotentOperation method must not be " + what
                + ": calls of it cannot be intercepted and would run" + " unprotected. " + remedy + ".";
    }
}
