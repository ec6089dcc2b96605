package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MemberElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** The place of an annotation member's value in a source file, which only javac's model knows. */
public record AnnotationPlace(Element element, AnnotationMirror annotation, AnnotationValue value) {

    /** Returns the place of a member; empty unless the annotation is in the sources of this compilation. */
    public static Optional<AnnotationPlace> of(
            io.micronaut.inject.ast.Element annotated,
            Class<? extends Annotation> annotation,
            String member,
            VisitorContext context) {
        ClassElement type = annotated instanceof MemberElement it ? it.getDeclaringType() : (ClassElement) annotated;
        return CompilerModel.element(annotated)
                .filter(element -> CompilerModel.tree(type, context) != null)
                .flatMap(element -> element.getAnnotationMirrors().stream()
                        .filter(mirror -> mirror.getAnnotationType().toString().equals(annotation.getName()))
                        .flatMap(mirror -> mirror.getElementValues().entrySet().stream()
                                .filter(entry -> entry.getKey().getSimpleName().contentEquals(member))
                                .map(entry -> new AnnotationPlace(element, mirror, entry.getValue())))
                        .findFirst());
    }

    public void print(Diagnostic.Kind kind, String text, VisitorContext context) {
        CompilerModel.environment(context)
                .ifPresent(compiler -> compiler.getMessager().printMessage(kind, text, element, annotation, value));
    }
}
