package io.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The annotated parameter is the idempotency key of its {@link IdempotentOperation}; with several, all of them in
 * order. Values of different types never give the same key: the number 1 and the text "1" are two keys.
 *
 * <p>On a method that {@link SendsIdempotencyKey sends a key} and is no operation itself, it is the key that is sent, as
 * it is written.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface IdempotencyKey {}
