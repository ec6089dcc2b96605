package io.idempotency.processor.rule;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementModifier;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code @IdempotencyKey} and {@code @NotFingerprinted} where nothing reads them. An abstract method may be the declaration
 * of an operation elsewhere, and a constructor's parameter a property of Kotlin, so these are left alone.
 */
public final class StrayMarks {

    /** The annotations that the classes to check carry somewhere. */
    public static final List<String> ANNOTATIONS =
            List.of(IdempotencyKey.class.getName(), NotFingerprinted.class.getName());

    private final Problems problems;

    /** Reports to a compilation. */
    public StrayMarks(Problems problems) {
        this.problems = problems;
    }

    /** Checks what a class and those in it declare. */
    public void check(ClassElement type) {
        boolean sends = type.hasStereotype(SendsIdempotencyKey.class);
        for (MethodElement method :
                type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyDeclared().onlyConcrete())) {
            if (!mayBeMarked(method)) {
                continue;
            }
            boolean isOperation = method.hasStereotype(IdempotentOperation.class);
            if (!isOperation && !sends && !method.hasStereotype(SendsIdempotencyKey.class)) {
                parameters(method);
            }
            if (method.hasDeclaredAnnotation(NotFingerprinted.class) && (isOperation || !isGetter(method))) {
                report(
                        method,
                        "@NotFingerprinted on " + name(type, method) + " is read by nothing, since the method is no"
                                + " getter. Mark the parameter or the property that is to be left out.");
            }
        }
        type.getEnclosedElements(ElementQuery.CONSTRUCTORS).forEach(this::components);
        type.getEnclosedElements(ElementQuery.ALL_FIELDS.onlyDeclared()).forEach(field -> field(type, field));
        // Micronaut visits nested classes by themselves only where they are annotated
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES.onlyDeclared()).forEach(this::check);
    }

    /** Asked of the compiler, who knows at once what Micronaut's model has to read the annotations of everything for. */
    private static boolean mayBeMarked(MethodElement method) {
        return !(method.getNativeType() instanceof JavaNativeElement.Method source)
                || Stream.concat(Stream.of(source.element()), source.element().getParameters().stream())
                        .flatMap(element -> element.getAnnotationMirrors().stream())
                        .anyMatch(annotation -> ANNOTATIONS.contains(
                                annotation.getAnnotationType().toString()));
    }

    private void parameters(MethodElement method) {
        for (ParameterElement parameter : method.getParameters()) {
            String which = " on '" + parameter.getName() + "' of " + name(method.getDeclaringType(), method)
                    + " is read by nothing, since the method is no @IdempotentOperation. ";
            if (parameter.hasDeclaredAnnotation(IdempotencyKey.class)) {
                problems.report(
                        RuleId.NOTHING_READS,
                        "@IdempotencyKey" + which + "Annotate the method, or remove the mark.",
                        parameter);
            } else if (parameter.hasDeclaredAnnotation(NotFingerprinted.class)) {
                problems.report(
                        RuleId.NOTHING_READS,
                        "@NotFingerprinted" + which + "Annotate the method, or remove the mark.",
                        parameter);
            }
        }
    }

    private void components(MethodElement constructor) {
        for (ParameterElement parameter : constructor.getParameters()) {
            if (parameter.hasDeclaredAnnotation(IdempotencyKey.class)) {
                problems.report(
                        RuleId.NOTHING_READS,
                        "@IdempotencyKey on '" + parameter.getName() + "' of "
                                + constructor.getDeclaringType().getSimpleName().replace('$', '.')
                                + " is read by nothing: only parameters of operations are keys. Name the property's path"
                                + " in @IdempotentOperation(key = …).",
                        parameter);
            }
        }
    }

    private void field(ClassElement type, FieldElement field) {
        boolean isState = !field.isStatic() && !field.getModifiers().contains(ElementModifier.TRANSIENT);
        if (field.hasDeclaredAnnotation(NotFingerprinted.class) && !isState) {
            report(
                    field,
                    "@NotFingerprinted on " + name(type, field) + " is read by nothing, since a static or transient"
                            + " field is left out of every fingerprint. Remove it.");
        }
    }

    private void report(MemberElement element, String message) {
        problems.report(RuleId.NOTHING_READS, message, element);
    }

    private static boolean isGetter(MethodElement method) {
        return method.getParameters().length == 0
                && !method.isStatic()
                && !method.isPrivate()
                && !method.getReturnType().isVoid();
    }

    private static String name(ClassElement type, MemberElement member) {
        return type.getSimpleName().replace('$', '.') + "." + member.getName();
    }
}
