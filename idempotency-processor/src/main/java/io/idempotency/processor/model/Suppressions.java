package io.idempotency.processor.model;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/**
 * What {@code @SuppressWarnings} says on an element and around it. Micronaut's model leaves that annotation out, so the
 * compiler's is asked; in other languages nothing is suppressed.
 */
public final class Suppressions {

    private Suppressions() {}

    /** The names of what is suppressed at an element. */
    public static Set<String> of(io.micronaut.inject.ast.Element element) {
        Set<String> names = new HashSet<>();
        @Nullable Element at = CompilerModel.element(element).orElse(null);
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
