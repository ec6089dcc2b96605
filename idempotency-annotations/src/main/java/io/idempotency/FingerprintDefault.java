package io.idempotency;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value with which the annotated parameter or property says as little as if it were not there: the fingerprint of the
 * arguments then leaves it out, as it leaves out null. For a property that is new and has a default value, so that retries of
 * calls from before are still the same requests.
 *
 * <pre>{@code record Order(String id, @FingerprintDefault("EUR") String currency, @FingerprintDefault("false") boolean gift) {}}</pre>
 *
 * <p>The body has to take null and this value for the same. On a property that is not new it makes every former call with this
 * value another request.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FingerprintDefault {

    /**
     * The value as text: a text itself, {@code true} or {@code false}, a number, a character, the name of an enum's constant;
     * nothing ({@code ""}) for an empty list, set, map or array.
     *
     * @return a value of the property's type
     */
    String value();
}
