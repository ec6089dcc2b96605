package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/**
 * The Java compiler's own model behind Micronaut's. The only class that names internal types of Micronaut; where these are
 * missing, and with the processor of another language, every answer is empty.
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
}
