package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import org.jspecify.annotations.Nullable;

/**
 * The Java compiler's own model behind Micronaut's, asked for what the latter does not show. The only class that names
 * internal types of Micronaut; where these are missing, and with the processor of another language, every answer is empty.
 */
public final class CompilerModel {

    private CompilerModel() {}

    /** The compiler's element behind one of Micronaut's. */
    public static Optional<Element> element(io.micronaut.inject.ast.Element element) {
        try {
            return element.getNativeType() instanceof JavaNativeElement source
                    ? Optional.of(source.element())
                    : Optional.empty();
        } catch (LinkageError e) {
            return Optional.empty();
        }
    }

    /** The compiler's class behind one of Micronaut's; empty for a type variable and a primitive type. */
    static Optional<TypeElement> type(ClassElement type) {
        return element(type).filter(TypeElement.class::isInstance).map(TypeElement.class::cast);
    }

    /** The environment of a compilation of Java sources. */
    static Optional<ProcessingEnvironment> environment(VisitorContext context) {
        try {
            return context.getLanguage() == VisitorContext.Language.JAVA && context instanceof JavaVisitorContext java
                    ? Optional.of(java.getProcessingEnv())
                    : Optional.empty();
        } catch (LinkageError e) {
            return Optional.empty();
        }
    }

    /** The {@code -A} options. Micronaut's reading keeps those of earlier compilations of one JVM, of a build's daemon for instance. */
    public static Map<String, String> options(VisitorContext context) {
        return environment(context).map(ProcessingEnvironment::getOptions).orElseGet(context::getOptions);
    }

    /** The classes that a sealed type permits. */
    static List<ClassElement> permitted(ClassElement type, VisitorContext context) {
        return type(type).stream()
                .flatMap(source -> source.getPermittedSubclasses().stream())
                .map(permitted -> (TypeElement) ((DeclaredType) permitted).asElement())
                .flatMap(permitted ->
                        context.getClassElement(permitted.getQualifiedName().toString()).stream())
                .toList();
    }

    /** What {@code @SuppressWarnings} names on an element and around it. */
    public static Set<String> suppressed(io.micronaut.inject.ast.Element element) {
        Set<String> names = new HashSet<>();
        @Nullable Element at = element(element).orElse(null);
        while (at != null) {
            SuppressWarnings suppressed = at.getAnnotation(SuppressWarnings.class);
            if (suppressed != null) {
                Collections.addAll(names, suppressed.value());
            }
            at = at.getEnclosingElement();
        }
        return names;
    }
}
