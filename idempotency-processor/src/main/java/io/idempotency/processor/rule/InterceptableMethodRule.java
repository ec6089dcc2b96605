package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.aop.Around;
import io.micronaut.aop.InterceptorBinding;
import io.micronaut.core.annotation.AnnotationUtil;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;

/** Requires that calls can pass through the interceptor, which is a subclass of the bean. */
final class InterceptableMethodRule implements OperationRule {

    private static final String IN_KOTLIN = " (in Kotlin, where it is the default: make class and method open, or have"
            + " the all-open compiler plugin do so for the annotation of the class's scope)";

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod operationMethod = operation.method();
        MethodElement method = operationMethod.method();
        ClassElement owner = operationMethod.owner();
        Problems.Report report = problems.of(RuleId.INTERCEPTABLE_METHOD, operation);
        if (method.isPrivate()) {
            report.say(notIntercepted("private", "Make it package-private, protected or public"));
        }
        if (method.isStatic()) {
            report.say(notIntercepted("static", "Make it an instance method of a bean"));
        }
        if (method.isFinal()) {
            report.say(notIntercepted("final", "Remove final" + IN_KOTLIN));
        }
        // Micronaut takes these methods for its own before it looks for advice
        if (method.hasDeclaredStereotype(
                AnnotationUtil.POST_CONSTRUCT, AnnotationUtil.PRE_DESTROY, AnnotationUtil.INJECT)) {
            report.say(notIntercepted(
                    "called by the container (@PostConstruct, @PreDestroy, @Inject)",
                    "Call it from an event listener, or move the work to another bean's method"));
        }
        if (operationMethod.produced() && !method.isPublic()) {
            report.say(notIntercepted("less than public in a bean of a @Factory", "Make it public"));
        } else if (method.isPackagePrivate()
                && !method.getDeclaringType().getPackageName().equals(owner.getPackageName())) {
            report.say(notIntercepted(
                    "package-private in another package than its bean",
                    "The proxy in package " + owner.getPackageName()
                            + " cannot override it: make it protected or public"));
        }
        if (owner.isFinal()) {
            report.say(
                    "the class is final, so calls of the method cannot be intercepted and would run unprotected. Remove"
                            + " final" + IN_KOTLIN + ".");
        }
        boolean isOwn = method.getDeclaringType().getName().equals(owner.getName());
        if (isOwn && !method.hasStereotype(IdempotentOperation.class)) {
            report.say(
                    "the annotation of the method that this one overrides is not @Inherited, so calls of this one would"
                            + " run unprotected. Write it here too, or @Inherited on the annotation that carries"
                            + " @IdempotentOperation.");
        } else if (!method.hasDeclaredStereotype(IdempotentOperation.class) && isPassedBy(method, owner)) {
            report.say(notIntercepted(
                    "protected, or a default method of a client or repository, where it only inherits the annotation",
                    "Annotate it here too"));
        } else if (!method.hasStereotype(IdempotentOperation.class)) {
            String unaware = BoundType.simpleName(method.getDeclaringType()) + ", which does not implement "
                    + BoundType.simpleName(operationMethod.declaration().getDeclaringType());
            report.at(owner)
                    .say(notIntercepted("inherited from " + unaware, "Override it in " + BoundType.simpleName(owner)));
        }
    }

    /** Tells whether Micronaut intercepts the method only for advice that it declares itself. */
    private static boolean isPassedBy(MethodElement method, ClassElement owner) {
        boolean isAdvised = owner.hasStereotype(Around.class) // or by the other way to bind an interceptor
                || owner.getAnnotationValuesByType(InterceptorBinding.class).stream()
                        .anyMatch(it -> it.stringValue("kind").orElse("AROUND").equals("AROUND"));
        return owner.isInterface() ? !method.isAbstract() : method.isProtected() && isAdvised;
    }

    private static String notIntercepted(String what, String remedy) {
        return "an @IdempotentOperation method must not be " + what
                + ": calls of it cannot be intercepted and would run unprotected. " + remedy + ".";
    }
}
