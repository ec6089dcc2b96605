package io.idempotency.processor.model;

import io.micronaut.inject.visitor.VisitorContext;
import java.util.Map;
import javax.annotation.processing.ProcessingEnvironment;

/** The {@code -A} options of one compilation. */
public final class CompilerOptions {

    private CompilerOptions() {}

    /** Micronaut's own reading of them keeps those of earlier compilations of one JVM, of a build's daemon for instance. */
    public static Map<String, String> of(VisitorContext context) {
        return CompilerModel.environment(context)
                .map(ProcessingEnvironment::getOptions)
                .orElseGet(context::getOptions);
    }
}
