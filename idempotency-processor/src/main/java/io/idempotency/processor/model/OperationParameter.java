package io.idempotency.processor.model;

import io.micronaut.inject.ast.ParameterElement;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of an operation.
 *
 * @param index its position
 * @param name its name where the annotation was written, which may be an interface
 * @param written its name in the fingerprint
 * @param absent the value that is as if there were none, as text; null where each counts
 * @param type its type
 * @param element where problems with it are reported
 * @param key whether it is an {@code @IdempotencyKey}
 * @param notFingerprinted whether it is {@code @NotFingerprinted}
 * @param header whether it is bound to a header
 */
public record OperationParameter(
        int index,
        String name,
        String written,
        @Nullable String absent,
        BoundType type,
        ParameterElement element,
        boolean key,
        boolean notFingerprinted,
        boolean header) {}
