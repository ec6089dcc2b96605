package io.idempotency.definition;

import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.inject.annotation.AnnotationMetadataHierarchy;
import io.micronaut.inject.annotation.EvaluatedAnnotationMetadata;
import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;

/** Evaluates an annotation's {@code key = "#{…}"} over the arguments of a call. */
public final class KeyExpression {

    private static final String KEY = "key";

    private KeyExpression() {}

    /**
     * Evaluates the key. The call's own metadata does not know the arguments where any annotation of the bean has a placeholder,
     * such as {@code @Client("${psp.url}")}: the expressions then stand behind a view that resolves placeholders only.
     *
     * @return null where the expression is null
     * @throws RuntimeException what the expression throws
     */
    public static @Nullable Object evaluate(
            MethodInvocationContext<?, ?> call, Class<? extends Annotation> annotation) {
        return withArguments(call.getExecutableMethod().getAnnotationMetadata(), call, annotation)
                .getValue(annotation, KEY)
                .orElse(null);
    }

    private static AnnotationMetadata withArguments(
            AnnotationMetadata metadata, MethodInvocationContext<?, ?> call, Class<? extends Annotation> annotation) {
        if (metadata instanceof EvaluatedAnnotationMetadata evaluated) {
            return evaluated.withArguments(call.getTarget(), call.getParameterValues());
        }
        if (metadata instanceof AnnotationMetadataHierarchy hierarchy) {
            for (AnnotationMetadata level : hierarchy) { // the method's own level is the first
                if (level.isPresent(annotation, KEY)) {
                    return withArguments(level, call, annotation);
                }
            }
        }
        AnnotationMetadata behind = metadata.getTargetAnnotationMetadata();
        return behind == metadata ? metadata : withArguments(behind, call, annotation);
    }
}
