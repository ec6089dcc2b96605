package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.processing.Filer;
import javax.tools.StandardLocation;

/**
 * Where generated class files go. No source names them, so javac need not know them as classes: it would look for one of
 * each name on the whole class path first, and read each of them in another round.
 */
public final class ClassOutput {

    /** An option that kapt always sets. It loses class files that it does not know as classes. */
    private static final String KAPT = "kapt.kotlin.generated";

    private ClassOutput() {}

    /**
     * Opens the file of a class.
     *
     * @param name its binary name, which is not in the package without a name
     * @param origin the only class that it is generated from: for what is made of several, Gradle builds everything anew
     * @param context the compilation
     */
    public static OutputStream open(String name, ClassElement origin, VisitorContext context) throws IOException {
        if (!(context instanceof JavaVisitorContext java
                && origin.getNativeType() instanceof JavaNativeElement source
                && !java.getProcessingEnv().getOptions().containsKey(KAPT))) {
            return context.visitClass(name, origin);
        }
        int simple = name.lastIndexOf('.') + 1;
        Filer filer = java.getProcessingEnv().getFiler();
        return filer.createResource(
                        StandardLocation.CLASS_OUTPUT,
                        name.substring(0, simple - 1),
                        name.substring(simple) + ".class",
                        source.element())
                .openOutputStream();
    }
}
