package io.idempotency;

import io.micronaut.context.annotation.Executable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean method that finds the result of an operation that succeeded, where the result itself is not stored: it was too
 * large, could not be encoded, or was written by another version of the application.
 *
 * <p>It takes the operation's parameters and returns the operation's result, or a stage or publisher of it. It looks the result
 * up and does nothing else: the body is not run again, whatever it answers. Null, and whatever it throws, means that there is no
 * result to give: the caller gets {@link ResultUnavailableException}. {@link IdempotencyContext#deriveKey} gives it the
 * keys that the body gave to other systems.
 */
@Documented
@Executable(processOnStartup = true)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Reloads {

    /** The operation whose results are reloaded, by its {@link IdempotentOperation#value()}. */
    String value();
}
