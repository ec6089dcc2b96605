package io.idempotency;

import io.micronaut.context.annotation.Executable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean method that finds out what became of an abandoned run of an operation with {@link OnAbandoned#RECONCILE}.
 *
 * <p>It takes the operation's parameters and returns {@link Reconciliation} of the operation's result type. It is asked
 * after the fence was raised, so the former owner can no longer record an outcome; but it may still act. <em>Absent</em>
 * is therefore proof only where the effect carries the derived key or the fence.
 */
@Documented
@Executable(processOnStartup = true)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Reconciles {

    /** The operation that is reconciled, by its {@link IdempotentOperation#value()}. */
    String value();
}
