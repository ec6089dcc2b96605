package io.idempotency.definition;

import io.micronaut.core.annotation.Internal;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the generated definition of an annotated method. Put on a method by the annotation processor only. An annotated
 * method without it stops the application: {@link io.idempotency.IdempotentOperation} itself binds the interceptor.
 */
@Internal
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface IdempotentAdvice {

    /** The generated definition: a class with a public constructor without parameters. */
    Class<? extends OperationDefinition> definition();

    /**
     * The version of the processor that generated it, {@link LibraryVersion#CURRENT} of its own build. It is here and not in the
     * definition because a definition of another version may not link.
     */
    String version();
}
