package io.idempotency.redis.script;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-1, which is what a script can compute: it tells what was damaged or changed by hand, and names scripts. */
public final class Checksum {

    private static final int LENGTH = 8;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** Never used itself: a copy costs a fraction of what looking for the algorithm costs. */
    private static final MessageDigest SHA_1 = sha1();

    private Checksum() {}

    /** Eight hexadecimal digits for the bytes between two places. */
    public static byte[] of(byte[] bytes, int from, int to) {
        MessageDigest sha1 = copy();
        sha1.update(bytes, from, to - from);
        byte[] digest = sha1.digest();
        byte[] checksum = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            checksum[i] = DIGITS[digest[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
        }
        return checksum;
    }

    /** All hexadecimal digits: the name of a script. */
    public static String digest(byte[] script) {
        return HexFormat.of().formatHex(copy().digest(script));
    }

    private static MessageDigest copy() {
        try {
            return (MessageDigest) SHA_1.clone();
        } catch (CloneNotSupportedException e) {
            return sha1();
        }
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-1, by which Redis names scripts", e);
        }
    }
}
