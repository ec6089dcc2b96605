package io.idempotency.runtime.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a record: SHA-256 over the length-framed namespace, tenant, caller and key. Logs and callers see only
 * its first digits, because the whole id suffices to compute the keys derived from it, unless a secret is configured.
 *
 * @param value 64 lower-case hexadecimal digits
 */
public record RecordId(String value) {

    private static final int ABSENT = -1;
    private static final int LENGTH = 64;
    private static final int SHOWN_DIGITS = 8;

    /** Refuses anything that is not a SHA-256 in lower-case hexadecimal. */
    public RecordId {
        if (!isDigest(value)) {
            throw new IllegalArgumentException("A record id is 64 lower-case hexadecimal digits, not: " + value);
        }
    }

    /** Every call checks an id, and mispredicted branches on digit or letter would take as long as the digest. */
    private static boolean isDigest(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!HexFormat.isHexDigit(value.charAt(i))) {
                return false;
            }
        }
        return value.length() == LENGTH && value.equals(value.toLowerCase(Locale.ROOT));
    }

    /** Returns the id of a key's record: of its canonical text, and of tenant and caller where they are part of it. */
    public static RecordId of(String namespace, @Nullable String tenant, @Nullable String caller, String key) {
        return new RecordId(digest(namespace, tenant, caller, key));
    }

    /** Derives a value from this id and a name, the same on every attempt: 64 lower-case hexadecimal digits. */
    public String derive(String name) {
        return digest(value, name);
    }

    /** Returns a new SHA-256 digest, for ids and fingerprints. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256, which every one must have", e);
        }
    }

    private static String digest(@Nullable String... parts) {
        return HexFormat.of().formatHex(sha256().digest(framed(parts)));
    }

    /** Encodes the parts as UTF-16 units, not as UTF-8, which writes every unpaired surrogate as the same '?'. */
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

    /** Returns the first digits, which logs, traces and callers see and by which an operator finds the record. */
    public String shownDigits() {
        return value.substring(0, SHOWN_DIGITS);
    }

    /** Returns the first bits of the digest, as good as all of them. Not cached, because each call makes a new id. */
    @Override
    public int hashCode() {
        return HexFormat.fromHexDigits(value, 0, SHOWN_DIGITS);
    }

    /** Returns only the first digits, for logs, traces and exceptions; {@link #value()} is the whole id. */
    @Override
    public String toString() {
        return shownDigits() + "\u2026";
    }
}
