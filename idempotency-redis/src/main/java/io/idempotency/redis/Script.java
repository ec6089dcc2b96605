package io.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The verbs, each one Lua script. Those on one record begin alike; the rare cases of all of them are one text as well. */
enum Script {
    CLAIM(true),
    SETTLE(true),
    RELEASE(true),
    DOUBT(true),
    RENEW(true),
    FIND(false),
    RESOLVE(true),
    LIST(false),
    SWEEP(false);

    private final boolean writes;
    private final byte[] source;
    private final String digest;

    Script(boolean writes) {
        this.writes = writes;
        String verb = resource(name().toLowerCase(Locale.ROOT));
        String whole =
                verb.contains("@record\n") ? resource("head") + verb.replace("@record\n", resource("record")) : verb;
        source = whole.getBytes(StandardCharsets.UTF_8);
        digest = Checksum.digest(source);
    }

    /** Whether it may change a record, so that replicas have to receive what it did. */
    boolean writes() {
        return writes;
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
}
