package io.idempotency.runtime.intercept;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OperationDefinition;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The arguments' fingerprint: the version of the canonical form, a colon, SHA-256 in hexadecimal. */
final class Fingerprint {

    private Fingerprint() {}

    static String of(OperationDefinition definition, @Nullable Object[] arguments) {
        FingerprintWriter writer = new FingerprintWriter();
        definition.fingerprint(arguments, writer);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            writer.digestInto(digest);
            return FingerprintWriter.VERSION + ":" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }
}
