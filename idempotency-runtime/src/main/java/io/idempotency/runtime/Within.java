package io.idempotency.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the values that a property permits, on the getter of a configuration interface. Any other value stops the start of
 * the application.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Within {

    /** The smallest value, written as the property is. */
    String min();

    /** The largest value; empty for any. */
    String max() default "";
}
