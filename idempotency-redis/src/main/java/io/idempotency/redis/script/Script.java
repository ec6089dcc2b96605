package io.idempotency.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The verbs, each one Lua script, and what many callers ask for at once. What several have in common is a text of its own. */
public enum Script {
    CLAIM(true),
    CLAIMS(true),
    SETTLE(true),
    SETTLES(true),
    RELEASE(true),
    DOUBT(true),
    RENEW(true),
    FIND(false),
    RESOLVE(true),
    ERASE(true),
    LIST(false),
    SWEEP(false);

    private final boolean writes;
    private final byte[] source;
    private final String digest;

    Script(boolean writes) {
        this.writes = writes;
        source = resource(name().toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
        digest = Checksum.digest(source);
    }

    /** Whether it may change a record, so that replicas have to receive what it did. */
    public boolean writes() {
        return writes;
    }

    public byte[] source() {
        return source;
    }

    /** The name under which Redis knows the script once it has seen it. */
    public String digest() {
        return digest;
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The resource io/idempotency/redis/script/" + name
                        + ".lua is not on the class path: idempotency-redis was repackaged without its resources");
            }
            // a line of @ and a name stands for the text of that name
            return Pattern.compile("^@([a-z]+)\n", Pattern.MULTILINE)
                    .matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .replaceAll(part -> Matcher.quoteReplacement(resource(part.group(1))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
