package io.idempotency;

import io.micronaut.aop.Around;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Starts the body of the annotated bean method at most once for one idempotency key, for as long as the key is remembered, on any
 * number of nodes, threads and retries. Every other caller of that key gets the recorded outcome, or an
 * {@link IdempotencyException} that says whether the body ran and what to do next.
 *
 * <p>The key comes from exactly one place, decided at compile time: {@link #key()}, {@link IdempotencyKey} parameters,
 * on an HTTP route without either the {@code Idempotency-Key} header, otherwise the hash of the arguments.
 *
 * <p>An attribute that is left out takes its value from the annotation of a method that this one overrides, then from {@code idempotency.*}
 * in the configuration, then the default given here; {@code idempotency.operations.<name>.*} overrides it without a new build.
 * Durations are written {@code 500ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 30d} or {@code PT30S} (ISO-8601).
 *
 * <p>A class that was compiled without {@code idempotency-processor} stops the application while it starts.
 */
@Around
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface IdempotentOperation {

    /**
     * The operation's stable name: kebab-case, at most 100 characters, unique in the application. It is part of the
     * record's identity, a configuration key and a metric tag, so it must survive renaming of the method. Left out, it is
     * {@code class#method(parameter types)}.
     */
    String value() default "";

    /**
     * A property path over the parameters ({@code request.orderId}), checked while compiling, or as the escape hatch an
     * expression {@code #{...}}. Left out when the key comes from elsewhere.
     */
    String key() default "";

    /**
     * The namespace of the keys, in kebab-case; left out, the operation's name. Operations of one namespace share their keys: one key
     * used for two of them is refused. Several beans that inherit a name are one operation there. All isolate their callers, or none.
     */
    String namespace() default "";

    /**
     * The store that remembers this operation: {@code jdbc}, {@code redis}, {@code memory} or another store's name; left out,
     * {@code idempotency.store}.
     */
    String store() default "";

    /** How long an outcome is remembered, counted from the moment it was recorded. Not shorter than {@link #lease()}. */
    String retention() default "24h";

    /** How long a claim stands without a sign of life of its owner. A running body renews it in the background. */
    String lease() default "30s";

    /** Whether a call without a key is refused ({@link MissingIdempotencyKeyException}) or runs unprotected. */
    boolean keyRequired() default true;

    /** What a duplicate does while the body runs. */
    WhenInProgress whenInProgress() default WhenInProgress.REJECT;

    /** How long a duplicate waits with {@link WhenInProgress#WAIT} before it is rejected. */
    String waitTimeout() default "10s";

    /** What an exception of the body means when nothing else says so. */
    OnFailure onFailure() default OnFailure.REMEMBER;

    /**
     * Exception types, subclasses included, that prove that the body had no effect: the claim is released and the next call may
     * run. Only the exception that the body threw counts, not its causes. {@code Throwable}, {@code Exception},
     * {@code RuntimeException} and {@code Error} prove nothing and are refused.
     *
     * <p>Of all lists, and of the types that this library knows to be cut-offs, the nearest type decides. The lists add to
     * {@code idempotency.no-effect-for}, {@code final-for} and {@code unknown-for}; for the same type the annotation wins over
     * those, and {@code idempotency.operations.<name>} over the annotation.
     */
    Class<? extends Throwable>[] noEffectFor() default {};

    /**
     * Exception types by which the body itself decided to fail, although they look like a cut-off: {@link #onFailure()} applies.
     * Causes count too, the outermost first.
     */
    Class<? extends Throwable>[] finalFor() default {};

    /** Exception types that leave open whether the body had an effect, as a time-out does. Causes count too, outermost first. */
    Class<? extends Throwable>[] unknownFor() default {};

    /** What a call does when the store cannot be reached before the body. After the body no outcome is forgotten for that. */
    OnStoreFailure onStoreFailure() default OnStoreFailure.FAIL;

    /** What happens after the owner of a claim vanished. */
    OnAbandoned onAbandoned() default OnAbandoned.REFUSE;

    /**
     * Whether the arguments are kept with a claim, encrypted, until its outcome is known: for reconcilers that look for abandoned
     * runs in the background. It counts with {@link OnAbandoned#RECONCILE} only and needs {@code idempotency.encryption.key}.
     */
    boolean storeArguments() default false;

    /**
     * What a key means when another caller uses it too: another user, or a job without one. Left to {@link OtherCallers#DEFAULT},
     * a key from a header is its caller's own, and every other key is the same for all.
     */
    OtherCallers otherCallers() default OtherCallers.DEFAULT;

    /** Whether the record and the body's writes share one transaction of the JDBC store's data source. */
    boolean transactional() default false;
}
