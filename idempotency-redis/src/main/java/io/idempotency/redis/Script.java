package io.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The verbs, each one Lua script: what all of them share, and then the verb's own lines. */
enum Script {
    CLAIM,
    COMPLETE,
    FAIL,
    RELEASE,
    DOUBT,
    RENEW,
    FIND,
    LIST,
    RESOLVE,
    AUDIT;

    private final byte[] source;
    private final String digest;

    Script() {
        source = (resource("record") + resource(name().toLowerCase(Locale.ROOT))).getBytes(StandardCharsets.UTF_8);
        digest = sha1(source);
    }

    byte[] source() {
        return source;
    }

    /** The name under which Redis knows the script once it has seen it. */
    String digest() {
        return digest;
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The resource io/idempotency/redis/" + name
                        + ".lua is not on the class path: idempotency-redis was repackaged without its resources");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-1, by which Redis names scripts", e);
        }
    }
}
