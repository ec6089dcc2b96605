package io.idempotency.processor.model;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.Trees;
import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import org.jspecify.annotations.Nullable;

/** The sources of a compilation, as javac's trees. With another compiler or language there are none. */
public final class SourceTrees {

    private SourceTrees() {}

    /** Whether a class is written in this compilation's sources, so that its author can be told to change it. */
    public static boolean contains(ClassElement type, VisitorContext context) {
        return of(type, context) != null;
    }

    static @Nullable ClassTree of(ClassElement type, VisitorContext context) {
        if (context.getLanguage() == VisitorContext.Language.JAVA
                && context instanceof JavaVisitorContext java
                && type.getNativeType() instanceof JavaNativeElement.Class source) {
            try {
                return Trees.instance(java.getProcessingEnv()).getTree(source.element());
            } catch (IllegalArgumentException e) {
                return null; // the environment of a compiler that is not javac
            }
        }
        return null;
    }
}
