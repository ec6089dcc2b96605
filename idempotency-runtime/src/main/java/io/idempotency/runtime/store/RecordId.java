package io.idempotency.runtime.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a record: SHA-256 over the length-framed namespace, tenant, caller and key. It is what logs and
 * callers see of a key.
 *
 * @param value 64 lower-case hexadecimal digits
 */
public record RecordId(String value) {

    private static final byte[] ABSENT = {-1, -1, -1, -1};
    private static final int LENGTH = 64;

    /** Refuses anything that is not a SHA-256 in lower-case hexadecimal. */
    public RecordId {
        if (!isDigest(value)) {
            throw new IllegalArgumentException("A record id is 64 lower-case hexadecimal digits, not: " + value);
        }
    }

    /** One is made for every call: a regular expression takes as long as the digest. */
    private static boolean isDigest(String value) {
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            if (!(digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f')) {
                return false;
            }
        }
        return value.length() == LENGTH;
    }

    /**
     * The id of a key.
     *
     * @param namespace what the key is unique in
     * @param tenant the tenant, null without one
     * @param caller the caller, null when it is not part of the identity
     * @param key the key's canonical text
     * @return its id
     */
    public static RecordId of(String namespace, @Nullable String tenant, @Nullable String caller, String key) {
        return new RecordId(digest(namespace, tenant, caller, key));
    }

    /**
     * A value derived from this id, the same on every attempt.
     *
     * @param name tells several derived values apart
     * @return 64 lower-case hexadecimal digits
     */
    public String derive(String name) {
        return digest(value, name);
    }

    private static String digest(@Nullable String... parts) {
        MessageDigest sha256 = sha256();
        for (String part : parts) {
            sha256.update(part == null ? ABSENT : framed(part));
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** UTF-16 units rather than UTF-8, which writes every unpaired surrogate as the same '?'. */
    private static byte[] framed(String part) {
        ByteBuffer units = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * part.length());
        units.putInt(part.length());
        for (int i = 0; i < part.length(); i++) {
            units.putChar(part.charAt(i));
        }
        return units.array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
