package io.idempotency.fingerprint;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name that a renamed parameter or property keeps in the fingerprint of the arguments: its former one. Retries of earlier
 * calls are then still the same requests, and where the arguments are the key, such a retry does not run the body again.
 *
 * <pre>{@code record Order(String id, @FingerprintName("amount") BigDecimal total) {}}</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FingerprintName {

    /** A Java identifier under which no other parameter or property beside it is written. */
    String value();
}
