package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Where the source gives a member of an annotation its value. Only javac's own model knows; in other languages, in class
 * files and for an annotation that carries the annotation there is no such place.
 *
 * @param element what carries the annotation
 * @param annotation the annotation
 * @param value the member's value
 */
public record AnnotationPlace(Element element, AnnotationMirror annotation, AnnotationValue value) {

    /** The value of a member, where an operation's annotation stands in the sources of this compilation. */
    public static Optional<AnnotationPlace> of(
            MethodElement method, Class<? extends Annotation> annotation, String member, VisitorContext context) {
        return SourceTrees.contains(method.getDeclaringType(), context)
                ? of(method, annotation, member)
                : Optional.empty();
    }

    /** The value of a member of a class's annotation. */
    public static Optional<AnnotationPlace> of(
            ClassElement type, Class<? extends Annotation> annotation, String member, VisitorContext context) {
        return SourceTrees.contains(type, context) ? of(type, annotation, member) : Optional.empty();
    }

    private static Optional<AnnotationPlace> of(
            io.micronaut.inject.ast.Element annotated, Class<? extends Annotation> annotation, String member) {
        return CompilerModel.element(annotated)
                .flatMap(element -> element.getAnnotationMirrors().stream()
                        .filter(mirror -> isOf(mirror, annotation))
                        .flatMap(mirror -> mirror.getElementValues().entrySet().stream()
                                .filter(entry -> entry.getKey().getSimpleName().contentEquals(member))
                                .map(entry -> new AnnotationPlace(element, mirror, entry.getValue())))
                        .findFirst());
    }

    private static boolean isOf(AnnotationMirror mirror, Class<? extends Annotation> annotation) {
        return mirror.getAnnotationType().asElement() instanceof TypeElement type
                && type.getQualifiedName().contentEquals(annotation.getName());
    }

    /** The place of one class in a list of classes, or of the whole list. */
    public AnnotationPlace item(String canonicalName) {
        return items().filter(item -> item.getValue().toString().equals(canonicalName))
                .findFirst()
                .map(item -> new AnnotationPlace(element, annotation, item))
                .orElse(this);
    }

    private Stream<? extends AnnotationValue> items() {
        return value.getValue() instanceof List<?> list
                ? list.stream().filter(AnnotationValue.class::isInstance).map(AnnotationValue.class::cast)
                : Stream.empty();
    }

    /** Reports something there. */
    public void print(Diagnostic.Kind kind, String text, VisitorContext context) {
        CompilerModel.environment(context)
                .ifPresent(compiler -> compiler.getMessager().printMessage(kind, text, element, annotation, value));
    }
}
