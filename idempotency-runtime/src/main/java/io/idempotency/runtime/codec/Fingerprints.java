package io.idempotency.runtime.codec;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.definition.OperationDefinition;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of arguments: the version of the canonical form, a colon, SHA-256 in hexadecimal. Thread-safe. Whatever
 * cannot be fingerprinted is an {@link IllegalArgumentException} that names the operation, before anything ran.
 */
@Singleton
public final class Fingerprints {

    private final OpenValues openValues;

    Fingerprints(OpenValues openValues) {
        this.openValues = openValues;
    }

    /**
     * Of the arguments of a method, as its definition writes them.
     *
     * @param definition what the processor generated
     * @param arguments the call's arguments, in order
     * @return the fingerprint
     */
    public String of(OperationDefinition definition, @Nullable Object[] arguments) {
        return of(definition.name(), writer -> definition.fingerprint(arguments, writer));
    }

    /**
     * Of any value, by the JSON that the application's mapper makes of it: members in the order of their names and
     * without nulls, numbers by value, sets without order.
     *
     * @param operation the operation's name, for messages
     * @param arguments whatever tells two calls of one key apart; null for nothing
     * @return the fingerprint
     */
    public String ofJson(String operation, @Nullable Object arguments) {
        return of(operation, writer -> {
            if (arguments != null) {
                writer.open(arguments);
            }
        });
    }

    private String of(String operation, Consumer<FingerprintWriter> arguments) {
        FingerprintWriter writer = new FingerprintWriter(openValues);
        try {
            arguments.accept(writer);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Idempotent operation '" + operation + "': " + e.getMessage(), e);
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            writer.digestInto(digest);
            return FingerprintWriter.VERSION + ":" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }
}
