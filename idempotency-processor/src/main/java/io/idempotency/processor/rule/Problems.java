package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.processor.model.AnnotationPlace;
import io.idempotency.processor.model.CompilerOptions;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Suppressions;
import io.idempotency.processor.model.Unreadable;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.tools.Diagnostic;

/** Reports what the rules find, at the element or the annotation's value that has to be changed, and each thing once. */
public final class Problems {

    private final VisitorContext context;
    private final Severities severities;
    private final Set<String> reported = new HashSet<>();
    private int errors;

    /** Reports to a compilation, as grave as its options say. */
    public Problems(VisitorContext context) {
        this.context = context;
        this.severities = new Severities(CompilerOptions.of(context));
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
        report(id, operation.method().origin(), named(operation, message), element, Optional.empty());
    }

    /** Reports at the value that the operation's annotation gives an attribute, or at the method where it gives none. */
    public void reportValue(RuleId id, Operation operation, String attribute, String message) {
        report(id, operation, message, place(operation, attribute));
    }

    /** Reports at one class of those that the operation's annotation lists in an attribute. */
    public void reportItem(RuleId id, Operation operation, String attribute, String className, String message) {
        report(id, operation, message, place(operation, attribute).map(it -> it.item(className.replace('$', '.'))));
    }

    private Optional<AnnotationPlace> place(Operation operation, String attribute) {
        return AnnotationPlace.of(operation.method().declaration(), IdempotentOperation.class, attribute, context);
    }

    private void report(RuleId id, Operation operation, String message, Optional<AnnotationPlace> place) {
        OperationMethod method = operation.method();
        report(id, method.origin(), named(operation, message), method.method(), place);
    }

    private Set<String> suppressed(Element element) {
        return context.getLanguage() == VisitorContext.Language.JAVA ? Suppressions.of(element) : Set.of();
    }

    private static String named(Operation operation, String message) {
        OperationMethod method = operation.method();
        return method.owner().getSimpleName().replace('$', '.') + "."
                + method.method().getName() + ": " + message;
    }

    /** Reports at something that belongs to no operation. */
    public void report(RuleId id, String message, Element element) {
        report(id, "", message, element, Optional.empty());
    }

    /** Reports at the value that an annotation of a method gives a member. */
    public void reportValue(
            RuleId id, MethodElement method, Class<? extends Annotation> annotation, String member, String message) {
        report(id, "", message, method, AnnotationPlace.of(method, annotation, member, context));
    }

    /** Reports at the value that an annotation of a class gives a member. */
    public void reportValue(
            RuleId id, ClassElement type, Class<? extends Annotation> annotation, String member, String message) {
        report(id, "", message, type, AnnotationPlace.of(type, annotation, member, context));
    }

    private void report(RuleId id, String origin, String message, Element element, Optional<AnnotationPlace> place) {
        Severities.Severity severity = severities.of(id, suppressed(element));
        if (severity == Severities.Severity.ERROR) {
            errors++;
        }
        if (severity != Severities.Severity.OFF && reported.add(origin + message)) {
            boolean isError = severity == Severities.Severity.ERROR;
            String text = message + id.reference();
            if (place.isPresent()) {
                place.get().print(isError ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING, text, context);
            } else if (isError) {
                context.fail(text, element);
            } else {
                context.warn(text, element);
            }
        }
    }

    /** Does something that reads the model, and reports at an element what that throws. */
    public void reading(Element element, Runnable reads) {
        Unreadable.run(
                reads,
                why -> report(RuleId.UNREADABLE_TYPE, element.getName() + " has a type in it: " + why + ".", element));
    }

    /** How many errors there were. */
    public int errors() {
        return errors;
    }
}
