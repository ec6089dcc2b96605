package io.idempotency.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-1, which is what a script can compute: it tells what was damaged or changed by hand, and names scripts. */
public final class Checksum {

    static final int LENGTH = 8;

    private Checksum() {}

    /** Eight hexadecimal digits for the bytes between two places. */
    public static byte[] of(byte[] bytes, int from, int to) {
        MessageDigest sha1 = sha1();
        sha1.update(bytes, from, to - from);
        return HexFormat.of().formatHex(sha1.digest(), 0, LENGTH / 2).getBytes(StandardCharsets.US_ASCII);
    }

    /** All hexadecimal digits: the name of a script. */
    public static String digest(byte[] script) {
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
