package io.idempotency.runtime.secrets;

import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Digests by HMAC-SHA-256 (RFC 2104) under a secret, or SHA-256 without one. Thread-safe, and never shows its secret. */
final class KeyedDigest {

    /** The digest without a secret. */
    static final KeyedDigest PLAIN = new KeyedDigest(null);

    static final String HMAC = "HmacSHA256";

    private static final int SHORTEST = 16;
    private static final int ID_DIGITS = 8;

    private final @Nullable SecretKeySpec secret;
    private final String id;

    private KeyedDigest(@Nullable SecretKeySpec secret) {
        this.secret = secret;
        this.id = secret == null ? "" : digest("key-id", List.of()).substring(0, ID_DIGITS);
    }

    static KeyedDigest of(String property, String secret) {
        if (secret.length() < SHORTEST) {
            throw new ConfigurationException(property + ": it has fewer than " + SHORTEST
                    + " characters and can be guessed. Write a longer one, the same on every node, or leave it out.");
        }
        return new KeyedDigest(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
    }

    /** Returns an id derived from the secret, so that two secrets never share one by mistake. Empty without a secret. */
    String id() {
        return id;
    }

    boolean isKeyed() {
        return secret != null;
    }

    /** Returns a digest under the secret, or the given digest without one, in lower-case hexadecimal. */
    String digest(String purpose, byte[] sha256) {
        return HexFormat.of().formatHex(secret == null ? sha256 : hmac(secret, framed(purpose, List.of()), sha256));
    }

    String digest(String purpose, List<String> parts) {
        byte[] framed = framed(purpose, parts);
        return HexFormat.of().formatHex(secret == null ? RecordId.sha256().digest(framed) : hmac(secret, framed));
    }

    static byte[] hmac(SecretKeySpec secret, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(secret);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime lacks HMAC-SHA-256, which every one must have", e);
        }
    }

    /** Concatenates the parts, each behind its length, unit by unit: a charset writes all unpaired surrogates alike. */
    private static byte[] framed(String purpose, List<String> parts) {
        List<String> all = Stream.concat(Stream.of(purpose), parts.stream()).toList();
        int chars = all.stream().mapToInt(String::length).sum();
        ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES * all.size() + Character.BYTES * chars);
        for (String part : all) {
            framed.putInt(Character.BYTES * part.length());
            part.chars().forEach(unit -> framed.putChar((char) unit));
        }
        return framed.array();
    }
}
