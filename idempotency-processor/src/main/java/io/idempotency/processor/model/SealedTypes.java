package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/**
 * Sealed Java types. Micronaut's model does not show what a type permits, so the compiler's is asked; with another
 * language's processor this class is not loaded.
 */
final class SealedTypes {

    private SealedTypes() {}

    /** The permitted classes; empty where the type is not sealed. */
    static List<ClassElement> permitted(ClassElement type, VisitorContext context) {
        return type.getNativeType() instanceof JavaNativeElement.Class source
                        && context instanceof JavaVisitorContext java
                ? source.element().getPermittedSubclasses().stream()
                        .map(permitted -> (TypeElement) ((DeclaredType) permitted).asElement())
                        .<ClassElement>map(permitted -> java.getElementFactory()
                                .newClassElement(permitted, java.getElementAnnotationMetadataFactory()))
                        .toList()
                : List.of();
    }
}
