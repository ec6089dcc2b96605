package io.idempotency.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-1, which is what a script can compute: it tells what was damaged or changed by hand, and names scripts. */
final class Checksum {

    private static final int LENGTH = 4;

    private Checksum() {}

    /** Eight hexadecimal digits for the bytes between two places. */
    static byte[] of(byte[] bytes, int from, int to) {
        MessageDigest sha1 = sha1();
        sha1.update(bytes, from, to - from);
        return HexFormat.of().formatHex(sha1.digest(), 0, LENGTH).getBytes(StandardCharsets.US_ASCII);
    }

    static String digest(byte[] script) {
        return HexFormat.of().formatHex(sha1().digest(script));
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-1, by which Redis names scripts", e);
        }
    }
}
