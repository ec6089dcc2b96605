package io.idempotency.processor.model;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.Trees;
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
 * The Java compiler's model behind Micronaut's. Only this class names internal types of Micronaut. Its answers are
 * empty without them or javac.
 */
public final class CompilerModel {

    private CompilerModel() {}

    /** Returns the compiler's element behind one of Micronaut's. */
    public static Optional<Element> element(io.micronaut.inject.ast.Element element) {
        try {
            return element.getNativeType() instanceof JavaNativeElement source
                    ? Optional.of(source.element())
                    : Optional.empty();
        } catch (LinkageError e) {
            return Optional.empty();
        }
    }

    /** Returns the compiler's class behind one of Micronaut's; empty for a type variable or a primitive type. */
    static Optional<TypeElement> type(ClassElement type) {
        return element(type).filter(TypeElement.class::isInstance).map(TypeElement.class::cast);
    }

    /** Returns the environment of a compilation of Java sources; empty for other languages. */
    public static Optional<ProcessingEnvironment> environment(VisitorContext context) {
        try {
            return context.getLanguage() == VisitorContext.Language.JAVA && context instanceof JavaVisitorContext java
                    ? Optional.of(java.getProcessingEnv())
                    : Optional.empty();
        } catch (LinkageError e) {
            return Optional.empty();
        }
    }

    /** Returns the {@code -A} options. In a build daemon, Micronaut's own reading keeps those of earlier builds. */
    public static Map<String, String> options(VisitorContext context) {
        return environment(context).map(ProcessingEnvironment::getOptions).orElseGet(context::getOptions);
    }

    static List<ClassElement> permitted(ClassElement type, VisitorContext context) {
        return type(type).stream()
                .flatMap(source -> source.getPermittedSubclasses().stream())
                .map(permitted -> (TypeElement) ((DeclaredType) permitted).asElement())
                .flatMap(permitted ->
                        context.getClassElement(permitted.getQualifiedName().toString()).stream())
                .toList();
    }

    /** Returns the names in {@code @SuppressWarnings} on an element and around it. */
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

    /** Returns the tree of a class in this compilation's sources; null for any other class. */
    public static @Nullable ClassTree tree(ClassElement type, VisitorContext context) {
        try {
            return environment(context)
                    .flatMap(compiler ->
                            type(type).map(it -> Trees.instance(compiler).getTree(it)))
                    .orElse(null);
        } catch (IllegalArgumentException e) {
            return null; // the environment of a compiler that is not javac
        }
    }
}
