package io.idempotency.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Lets a test with {@code @MicronautTest} inject {@link IdempotencyTestKit}, which breaks the store, crashes owners,
 * skips time and counts what ran. Everything works again after each test. Its methods share all that, and so run one
 * after the other.
 */
@Documented
@Inherited
@Execution(ExecutionMode.SAME_THREAD)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface IdempotencyTest {}
