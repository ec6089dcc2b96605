package io.idempotency.runtime.codec;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.FingerprintWriter.TooDeepException;
import io.idempotency.definition.OpenValues;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.secrets.FingerprintForms;
import io.idempotency.runtime.store.RecordId;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes fingerprints of arguments: their form, a colon and a hexadecimal digest. Arguments that cannot be fingerprinted
 * are refused before the body runs, by an {@link IllegalArgumentException} that names the operation. Thread-safe.
 */
@Singleton
public record Fingerprints(OpenValues openValues, FingerprintForms forms) {

    /** The form of fingerprints that are keys. Being part of a key's identity, it never changes and has no secret. */
    private static final String KEY_FORM = "1:";

    /**
     * Returns the canonical key of a call whose arguments are its key. It does not depend on the version and secret
     * that fingerprints are written in.
     */
    public static String keyOf(CallFingerprint arguments) {
        String frozen = Objects.requireNonNull(arguments.in(KEY_FORM), "version 1 of fingerprints, which always stays");
        return Objects.requireNonNull(CanonicalKey.typed("arguments", frozen));
    }

    /** Fingerprints a method's arguments, as its definition writes them. */
    public CallFingerprint of(OperationDefinition definition, @Nullable Object[] arguments) {
        return of(definition.name(), writer -> definition.fingerprint(arguments, writer));
    }

    /**
     * Fingerprints any value by the JSON that the application's mapper makes of it: members sorted by name and without
     * nulls, numbers by value, sets without order.
     *
     * @param arguments the values that distinguish two calls with one key; null for none
     */
    public CallFingerprint ofJson(String operation, @Nullable Object arguments) {
        return of(operation, writer -> {
            if (arguments != null) {
                writer.open(arguments);
            }
        });
    }

    private CallFingerprint of(String operation, Consumer<FingerprintWriter> arguments) {
        try {
            return forms.of("", version -> {
                FingerprintWriter writer = version.writer().apply(openValues);
                arguments.accept(writer);
                MessageDigest sha256 = RecordId.sha256();
                writer.digestInto(sha256);
                return sha256.digest();
            });
        } catch (IllegalArgumentException e) { // a web server shows its callers the message, and not the cause
            String message = "Idempotent operation '" + operation
                    + "': nothing can tell its arguments from those of another call."
                    + " The body did not run. The cause says what to change.";
            throw e instanceof TooDeepException
                    ? new TooDeepException(message, e)
                    : new IllegalArgumentException(message, e);
        }
    }
}
