package io.idempotency.processor.rule;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.RuleId;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;

/**
 * Reports {@code @IdempotencyKey} and property annotations that have no effect. Skips abstract methods, which may
 * declare operations, and marks on constructors' parameters, which may be Kotlin's properties.
 */
public record StrayMarks(Problems problems) {

    private static final List<Class<? extends Annotation>> PROPERTY_MARKS =
            List.of(NotFingerprinted.class, FingerprintDefault.class, FingerprintName.class);

    public static final List<String> ANNOTATIONS = Stream.concat(
                    Stream.of(IdempotencyKey.class), PROPERTY_MARKS.stream())
            .map(Class::getName)
            .toList();

    /** Checks a class and its nested classes. */
    public void check(ClassElement type) {
        // the compiler is faster than Micronaut's model, which reads all annotations for the answer
        if (CompilerModel.element(type).map(StrayMarks::isMarked).orElse(true)) {
            members(type);
            // Micronaut visits nested classes only where they are annotated
            type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES.onlyDeclared())
                    .forEach(this::check);
        }
    }

    private void members(ClassElement type) {
        String name = BoundType.simpleName(type);
        boolean sends = type.hasStereotype(SendsIdempotencyKey.class);
        for (MethodElement method :
                type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyDeclared().onlyConcrete())) {
            method(method, name + "." + method.getName(), sends);
        }
        for (MethodElement constructor : type.getEnclosedElements(ElementQuery.CONSTRUCTORS)) {
            for (ParameterElement parameter : constructor.getParameters()) {
                report(
                        keyMark(parameter),
                        parameter,
                        "'" + parameter.getName() + "' of " + name,
                        ": only parameters of operations are keys. Name the property's path in"
                                + " @IdempotentOperation(key = …).");
            }
        }
        for (FieldElement field : type.getEnclosedElements(ElementQuery.ALL_FIELDS.onlyDeclared())) {
            if (field.isStatic()) {
                report(
                        marks(field),
                        field,
                        name + "." + field.getName(),
                        ", since a static field is left out of every fingerprint. Remove it.");
            }
        }
    }

    private void method(MethodElement method, String name, boolean sends) {
        boolean isOperation = method.hasStereotype(IdempotentOperation.class);
        if (!isOperation && !sends && !method.hasStereotype(SendsIdempotencyKey.class)) {
            for (ParameterElement parameter : method.getParameters()) {
                report(
                        Stream.concat(keyMark(parameter), marks(parameter)),
                        parameter,
                        "'" + parameter.getName() + "' of " + name,
                        ", since the method is no @IdempotentOperation. Annotate the method, or remove the mark.");
            }
        }
        if (isOperation || !isGetter(method)) {
            report(
                    marks(method),
                    method,
                    name,
                    ", since the method is no getter. Mark the parameter or the property that is meant.");
        }
    }

    private void report(Stream<String> marks, Element element, String where, String why) {
        marks.forEach(mark ->
                problems.of(RuleId.NOTHING_READS, element).say(mark + " on " + where + " is read by nothing" + why));
    }

    /** Tells whether an element of the compiler, or one in it, has a mark. */
    private static boolean isMarked(javax.lang.model.element.Element element) {
        Stream<? extends javax.lang.model.element.Element> parameters =
                element instanceof ExecutableElement method ? method.getParameters().stream() : Stream.of();
        return element.getAnnotationMirrors().stream()
                        .anyMatch(mark ->
                                ANNOTATIONS.contains(mark.getAnnotationType().toString()))
                || Stream.concat(element.getEnclosedElements().stream(), parameters)
                        .anyMatch(StrayMarks::isMarked);
    }

    /** Returns the property annotations on an element, for messages. */
    private static Stream<String> marks(Element element) {
        return PROPERTY_MARKS.stream().filter(element::hasDeclaredAnnotation).map(mark -> "@" + mark.getSimpleName());
    }

    private static Stream<String> keyMark(ParameterElement parameter) {
        return parameter.hasDeclaredAnnotation(IdempotencyKey.class) ? Stream.of("@IdempotencyKey") : Stream.of();
    }

    private static boolean isGetter(MethodElement method) {
        return method.getParameters().length == 0
                && !method.isStatic()
                && !method.isPrivate()
                && !method.getReturnType().isVoid();
    }
}
