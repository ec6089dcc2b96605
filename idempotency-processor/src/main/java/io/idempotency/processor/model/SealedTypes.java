package io.idempotency.processor.model;

import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.List;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/**
 * Sealed Java types. Micronaut's model does not show what a type permits, so the compiler's is asked; there are
 * none with another language's processor.
 */
final class SealedTypes {

    private SealedTypes() {}

    /** The permitted classes; empty where the type is not sealed. */
    static List<ClassElement> permitted(ClassElement type, VisitorContext context) {
        return CompilerModel.type(type).stream()
                .flatMap(source -> source.getPermittedSubclasses().stream())
                .map(permitted -> (TypeElement) ((DeclaredType) permitted).asElement())
                .flatMap(permitted ->
                        context.getClassElement(permitted.getQualifiedName().toString()).stream())
                .toList();
    }
}
