package io.idempotency.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the values that a property permits, on the getter of a configuration interface. The application does not
 * start with any other value.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Within {

    /** Returns the smallest value, in the property's notation. */
    String min();

    /** Returns the largest value; empty for no limit. */
    String max() default "";
}
