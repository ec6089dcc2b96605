package io.idempotency.fingerprint;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Leaves the annotated parameter or property out of the fingerprint where it has this value, as null is left out. For a new
 * property with a default value, so that retries of earlier calls are still the same requests.
 *
 * <pre>{@code record Order(String id, @FingerprintDefault("EUR") String currency, @FingerprintDefault("false") boolean gift) {}}</pre>
 *
 * <p>The body has to treat null and this value alike. On a property that is not new, the annotation makes every earlier call
 * with this value another request.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FingerprintDefault {

    /**
     * The value of the property's type as text: a text itself, {@code true} or {@code false}, a number, a character, the name
     * of an enum constant; {@code ""} for an empty list, set, map or array.
     */
    String value();
}
