package io.idempotency.runtime.config;

import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Digests that only who knows the secret can compute: HMAC-SHA-256 (RFC 2104) where {@code idempotency.fingerprint.secret}
 * is set, SHA-256 otherwise. They are the same on every node. Thread-safe.
 */
@Singleton
public final class KeyedDigests {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 16;

    private final @Nullable SecretKeySpec secret;

    KeyedDigests(FingerprintConfiguration configuration) {
        String written = configuration.getSecret();
        if (written != null && written.length() < SHORTEST) {
            throw new ConfigurationException(FingerprintConfiguration.PREFIX + ".secret: it has fewer than " + SHORTEST
                    + " characters and can be guessed. Write a longer one, the same on every node, or leave it out.");
        }
        this.secret = written == null ? null : new SecretKeySpec(written.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /**
     * The key of a downstream call. Without a secret whoever knows the record's id can compute it.
     *
     * @param id the record of the operation that makes the call
     * @param name tells the calls of one operation apart
     * @return 64 lower-case hexadecimal digits
     */
    public String derivedKey(RecordId id, String name) {
        return secret == null ? id.derive(name) : digest("derived-key", List.of(id.value(), name));
    }

    /**
     * A digest of several values.
     *
     * @param purpose keeps the digests of one purpose apart from those of another
     * @param parts what is digested, in order
     * @return 64 lower-case hexadecimal digits
     */
    public String digest(String purpose, List<String> parts) {
        try {
            byte[] framed = framed(purpose, parts);
            if (secret == null) {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(framed));
            }
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return HexFormat.of().formatHex(mac.doFinal(framed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime lacks SHA-256, which every one must have", e);
        }
    }

    /** Every part behind its length, so that no two lists look alike. */
    private static byte[] framed(String purpose, List<String> parts) {
        List<byte[]> all = Stream.concat(Stream.of(purpose), parts.stream())
                .map(part -> part.getBytes(StandardCharsets.UTF_16BE))
                .toList();
        ByteBuffer framed = ByteBuffer.allocate(
                all.stream().mapToInt(part -> Integer.BYTES + part.length).sum());
        all.forEach(part -> framed.putInt(part.length).put(part));
        return framed.array();
    }
}
