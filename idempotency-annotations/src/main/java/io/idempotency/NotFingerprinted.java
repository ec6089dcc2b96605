package io.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The annotated parameter, property or type is left out of the fingerprint of the arguments: a retry may carry
 * another value of it (a trace id, the time of sending) and is still the same request. A collection, an array or an
 * optional of such a type is left out too; a map to it counts by its keys.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface NotFingerprinted {}
