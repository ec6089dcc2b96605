package io.idempotency.runtime.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a record: SHA-256 over the length-framed namespace, tenant, caller and key. It is what logs and
 * callers see of a key.
 *
 * @param value 64 lower-case hexadecimal digits
 */
public record RecordId(String value) {

    private static final byte[] ABSENT = {-1, -1, -1, -1};
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    /** Refuses anything that is not a SHA-256 in lower-case hexadecimal. */
    public RecordId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("A record id is 64 lower-case hexadecimal digits, not: " + value);
        }
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
        part.chars().forEach(unit -> units.putChar((char) unit));
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
