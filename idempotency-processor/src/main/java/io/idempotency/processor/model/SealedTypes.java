package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/**
 * Sealed Java types. Micronaut's model does not show what a type permits, so the compiler's is asked; with another
 * language's processor this class is not loaded.
 */
final class SealedTypes {

    private SealedTypes() {}

    /** The binary names of the permitted classes; empty where the type is not sealed. */
    static List<String> permitted(ClassElement type) {
        return type.getNativeType() instanceof JavaNativeElement.Class source
                ? source.element().getPermittedSubclasses().stream()
                        .map(permitted -> binaryName(((DeclaredType) permitted).asElement()))
                        .toList()
                : List.of();
    }

    private static String binaryName(Element element) {
        return element.getEnclosingElement() instanceof TypeElement outer
                ? binaryName(outer) + "$" + element.getSimpleName()
                : ((TypeElement) element).getQualifiedName().toString();
    }
}
