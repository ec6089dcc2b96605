package io.idempotency;

import io.micronaut.aop.Around;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sends one idempotency key per intent with the calls of the annotated HTTP client: every attempt of one call carries the same
 * key, whether it is made by {@link #retries()}, by {@code @Retryable} or by subscribing again.
 *
 * <p>On a declarative client ({@code @Client} interface) or one of its methods the key is the header of the request. On
 * a method of any other bean it goes with the request that the method sends through a Micronaut HTTP client. On a type,
 * methods that HTTP calls safe or idempotent are left alone.
 *
 * <p>The key comes from the first of these that is there:
 * <ol>
 *   <li>the header, where the application set it itself;
 *   <li>{@link #key()}, or an {@link IdempotencyKey} parameter. On a method that is an {@link IdempotentOperation} too,
 *       the parameter is the operation's key;
 *   <li>inside an idempotent operation {@link IdempotencyContext#deriveKey(String)} of {@link #value()}: the same on
 *       every attempt at the operation. A second call that differs is refused, since it would share the key;
 *   <li>a new UUID (version 7) per call of the method.
 * </ol>
 *
 * <p>An answer that is a problem document of the profile arrives as the {@link IdempotencyException} that the server
 * threw, with Micronaut's own exception as its cause; every other failure arrives as it is.
 */
@Around
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface SendsIdempotencyKey {

    /**
     * The name of the call inside an operation, {@code class#method} where it is left out. It is part of the derived key, so it
     * must survive renaming of the method.
     */
    String value() default "";

    /** The key, as an expression over the parameters: {@code #{order.id}}. Left out when the key comes from elsewhere. */
    String key() default "";

    /**
     * The client whose requests carry the key, by the text of the low-level client's {@code @Client}, on a method that is not a
     * declarative client's. Left out, it is the one request that the method sends.
     */
    String service() default "";

    /**
     * How often a request is sent again with the same key after a network error, 5xx, 429 or "in progress", not negative;
     * {@code idempotency.http.client.retries} when left out. The server must honour the key: one that ignores it does everything
     * again.
     */
    int retries() default 0;

    /**
     * The delay before the first retry, {@code idempotency.http.client.delay} when left out; it grows from one to the next, with
     * jitter. A longer {@code Retry-After} wins.
     */
    String delay() default "500ms";

    /**
     * The longest delay, {@code idempotency.http.client.max-delay} when left out. When the server asks for a longer one, the call
     * gives up instead.
     */
    String maxDelay() default "30s";
}
