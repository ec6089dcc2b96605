package io.idempotency.processor.model;

import io.micronaut.annotation.processing.visitor.JavaNativeElement;
import io.micronaut.annotation.processing.visitor.JavaVisitorContext;
import io.micronaut.inject.ast.Element;
import io.micronaut.inject.visitor.VisitorContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.stream.Stream;
import javax.tools.StandardLocation;

/**
 * Where generated class files go. No source names them, so javac need not know them as classes: it would look for one of
 * each name on the whole class path first, and read each of them in another round.
 */
public final class ClassOutput {

    private ClassOutput() {}

    /** Opens the file of a class by its binary name, which is not in the package without a name. */
    public static OutputStream open(String name, VisitorContext context, Element... origin) throws IOException {
        if (!(context instanceof JavaVisitorContext java)) {
            return context.visitClass(name, origin);
        }
        int simple = name.lastIndexOf('.') + 1;
        javax.lang.model.element.Element[] origins = Stream.of(origin)
                .map(Element::getNativeType)
                .filter(JavaNativeElement.class::isInstance)
                .map(each -> ((JavaNativeElement) each).element())
                .toArray(javax.lang.model.element.Element[]::new);
        return java.getProcessingEnv()
                .getFiler()
                .createResource(
                        StandardLocation.CLASS_OUTPUT,
                        name.substring(0, simple - 1),
                        name.substring(simple) + ".class",
                        origins)
                .openOutputStream();
    }
}
