package io.idempotency.definition;

import io.micronaut.aop.Around;
import io.micronaut.context.annotation.Executable;
import io.micronaut.core.annotation.Internal;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Binds the interceptor to a method and names its generated definition. Put on a method by the annotation processor
 * only: a method that carries it without a definition would not be protected.
 */
@Around
@Executable(processOnStartup = true) // so that every operation is bound and checked while the context starts
@Internal
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface IdempotentAdvice {

    /**
     * The generated definition.
     *
     * @return a class with a public constructor without parameters
     */
    Class<? extends OperationDefinition> definition();
}
