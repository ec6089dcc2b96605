package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Where the source gives a member of an annotation its value. Only javac's own model knows; in other languages, in class
 * files and for an annotation that carries the annotation there is no such place.
 */
public record AnnotationPlace(Element element, AnnotationMirror annotation, AnnotationValue value) {

    /** The value of a member, where an element's annotation stands in the sources of this compilation. */
    public static Optional<AnnotationPlace> of(
            io.micronaut.inject.ast.Element annotated,
            Class<? extends Annotation> annotation,
            String member,
            VisitorContext context) {
        ClassElement type = annotated instanceof MemberElement it ? it.getDeclaringType() : (ClassElement) annotated;
        return CompilerModel.element(annotated)
                .filter(element -> SourceTrees.of(type, context) != null)
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
        return value.getValue() instanceof List<?> list
                ? list.stream()
                        .map(AnnotationValue.class::cast)
                        .filter(item -> item.getValue().toString().equals(canonicalName))
                        .findFirst()
                        .map(item -> new AnnotationPlace(element, annotation, item))
                        .orElse(this)
                : this;
    }

    public void print(Diagnostic.Kind kind, String text, VisitorContext context) {
        CompilerModel.environment(context)
                .ifPresent(compiler -> compiler.getMessager().printMessage(kind, text, element, annotation, value));
    }
}
