package io.idempotency.runtime.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a record: SHA-256 over the length-framed namespace, tenant, caller and key. Logs and callers see its first
 * digits: who knows the whole of it can compute the keys that are derived of it, unless these are made under a secret.
 *
 * @param value 64 lower-case hexadecimal digits
 */
public record RecordId(String value) {

    private static final int ABSENT = -1;
    private static final int LENGTH = 64;
    private static final int SHOWN_DIGITS = 8;
    private static final boolean[] DIGITS = digits();

    /** Never used itself: a copy costs a fraction of what looking for the algorithm costs. */
    private static final MessageDigest FRESH = looked();

    /** Refuses anything that is not a SHA-256 in lower-case hexadecimal. */
    public RecordId {
        if (!isDigest(value)) {
            throw new IllegalArgumentException("A record id is 64 lower-case hexadecimal digits, not: " + value);
        }
    }

    private static boolean[] digits() {
        boolean[] digits = new boolean['f' + 1];
        "0123456789abcdef".chars().forEach(digit -> digits[digit] = true);
        return digits;
    }

    /** Looks digits up in a table, with every call: branches on digit or letter are mispredicted and take as long as the digest. */
    private static boolean isDigest(String value) {
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            if (digit >= DIGITS.length || !DIGITS[digit]) {
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

    /** A SHA-256 of nothing yet: ids and fingerprints are made with it. */
    public static MessageDigest sha256() {
        try {
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) { // a provider may leave it out
            return looked();
        }
    }

    private static MessageDigest looked() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }

    private static String digest(@Nullable String... parts) {
        return HexFormat.of().formatHex(sha256().digest(framed(parts)));
    }

    /** UTF-16 units rather than UTF-8, which writes every unpaired surrogate as the same '?'. */
    private static byte[] framed(@Nullable String... parts) {
        int length = 0;
        for (String part : parts) {
            length += Integer.BYTES + (part == null ? 0 : Character.BYTES * part.length());
        }
        ByteBuffer units = ByteBuffer.allocate(length);
        for (String part : parts) {
            units.putInt(part == null ? ABSENT : part.length());
            for (int i = 0; part != null && i < part.length(); i++) {
                units.putChar(part.charAt(i));
            }
        }
        return units.array();
    }

    /** What logs, traces and callers see of this id, and what an operator looks for. */
    public String shownDigits() {
        return value.substring(0, SHOWN_DIGITS);
    }

    /** The first bits of the digest, which are as good as all of them. Each call has a new id, whose hash no map has yet. */
    @Override
    public int hashCode() {
        return HexFormat.fromHexDigits(value, 0, SHOWN_DIGITS);
    }

    /** Its first digits, which is all that logs, traces and texts of exceptions have of an id: see {@link #value()}. */
    @Override
    public String toString() {
        return shownDigits() + "\u2026";
    }
}
