package io.idempotency.processor.rule.argument;

import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.SendsIdempotencyKey;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.ast.ElementModifier;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.FieldElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/**
 * {@code @IdempotencyKey}, and what says how a property is fingerprinted, where nothing reads them. An abstract method may be the declaration
 * of an operation elsewhere, and a constructor's parameter a property of Kotlin, so these are left alone.
 */
public final class StrayMarks {

    private static final List<Class<? extends Annotation>> PROPERTY_MARKS =
            List.of(NotFingerprinted.class, FingerprintDefault.class, FingerprintName.class);

    /** The annotations that the classes to check carry somewhere. */
    public static final List<String> ANNOTATIONS = Stream.concat(
                    Stream.of(IdempotencyKey.class), PROPERTY_MARKS.stream())
            .map(Class::getName)
            .toList();

    private final Problems problems;

    /** Reports to a compilation. */
    public StrayMarks(Problems problems) {
        this.problems = problems;
    }

    /** Checks what a class and those in it declare. */
    public void check(ClassElement type) {
        javax.lang.model.element.Element source = sourceOf(type);
        if (source != null && !mayBeMarked(source, true)) {
            return;
        }
        if (source == null || mayBeMarked(source, false)) {
            members(type);
        }
        // Micronaut visits nested classes by themselves only where they are annotated
        type.getEnclosedElements(ElementQuery.ALL_INNER_CLASSES.onlyDeclared()).forEach(this::check);
    }

    private void members(ClassElement type) {
        boolean sends = type.hasStereotype(SendsIdempotencyKey.class);
        for (MethodElement method :
                type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyDeclared().onlyConcrete())) {
            javax.lang.model.element.Element source = sourceOf(method);
            if (source == null || isMarked(source)) {
                method(type, method, sends);
            }
        }
        type.getEnclosedElements(ElementQuery.CONSTRUCTORS).forEach(this::components);
        type.getEnclosedElements(ElementQuery.ALL_FIELDS.onlyDeclared()).forEach(field -> field(type, field));
    }

    private void method(ClassElement type, MethodElement method, boolean sends) {
        boolean isOperation = method.hasStereotype(IdempotentOperation.class);
        if (!isOperation && !sends && !method.hasStereotype(SendsIdempotencyKey.class)) {
            parameters(method);
        }
        if (isOperation || !isGetter(method)) {
            marks(method)
                    .forEach(mark -> problems.report(
                            RuleId.NOTHING_READS,
                            mark + " on " + name(type, method)
                                    + " is read by nothing, since the method is no getter. Mark"
                                    + " the parameter or the property that is meant.",
                            method));
        }
    }

    /** The compiler knows at once what Micronaut's model has to read the annotations of everything for. */
    private static javax.lang.model.element.@Nullable Element sourceOf(Element element) {
        return CompilerModel.element(element).orElse(null);
    }

    private static boolean mayBeMarked(javax.lang.model.element.Element type, boolean deep) {
        return type.getEnclosedElements().stream()
                .anyMatch(each ->
                        each instanceof TypeElement nested ? deep && mayBeMarked(nested, true) : isMarked(each));
    }

    private static boolean isMarked(javax.lang.model.element.Element member) {
        Stream<? extends javax.lang.model.element.Element> parameters =
                member instanceof ExecutableElement method ? method.getParameters().stream() : Stream.of();
        return Stream.concat(Stream.of(member), parameters)
                .flatMap(element -> element.getAnnotationMirrors().stream())
                .anyMatch(annotation ->
                        ANNOTATIONS.contains(annotation.getAnnotationType().toString()));
    }

    /** The marks of properties on an element, as they are written. */
    private static Stream<String> marks(Element element) {
        return PROPERTY_MARKS.stream().filter(element::hasDeclaredAnnotation).map(mark -> "@" + mark.getSimpleName());
    }

    private void parameters(MethodElement method) {
        for (ParameterElement parameter : method.getParameters()) {
            Stream<String> key =
                    parameter.hasDeclaredAnnotation(IdempotencyKey.class) ? Stream.of("@IdempotencyKey") : Stream.of();
            Stream.concat(key, marks(parameter))
                    .forEach(mark -> problems.report(
                            RuleId.NOTHING_READS,
                            mark + " on '" + parameter.getName() + "' of " + name(method.getDeclaringType(), method)
                                    + " is read by nothing, since the method is no @IdempotentOperation. Annotate the"
                                    + " method, or remove the mark.",
                            parameter));
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
        if (!isState) {
            marks(field)
                    .forEach(mark -> problems.report(
                            RuleId.NOTHING_READS,
                            mark + " on " + name(type, field)
                                    + " is read by nothing, since a static or transient field is left"
                                    + " out of every fingerprint. Remove it.",
                            field));
        }
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
