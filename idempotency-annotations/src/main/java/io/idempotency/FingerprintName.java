package io.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which the annotated parameter or property is part of the fingerprint of the arguments, when it is renamed:
 * its former name. Retries of calls from before the renaming are then still the same requests, rather than others with a key
 * that was used before. Where the arguments are the key, it keeps such a retry from running the body again.
 *
 * <pre>{@code record Order(String id, @FingerprintName("amount") BigDecimal total) {}}</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FingerprintName {

    /**
     * The name that is written.
     *
     * @return a Java identifier that no other parameter or property beside it is written as
     */
    String value();
}
