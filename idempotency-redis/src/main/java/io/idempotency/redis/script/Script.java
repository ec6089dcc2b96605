package io.idempotency.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The verbs, each one Lua script. What several have in common is a text of its own. */
public enum Script {
    CLAIM(true),
    SETTLE(true),
    RENEW(true),
    DOUBT(true),
    RELEASE(true),
    FIND(false),
    RESOLVE(true),
    ERASE(true),
    SWEEP(false);

    private final boolean writes;
    private final byte[] source;
    private final String digest;

    Script(boolean writes) {
        this.writes = writes;
        source = Texts.of(name().toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
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

    private static final class Texts {

        private static final Map<String, String> ALL = new HashMap<>();

        static {
            keep("record.lua");
            keep("verbs.lua");
        }

        private static void keep(String file) {
            String[] texts = resource(file).split("(?m)^--- ");
            for (int i = 1; i < texts.length; i++) { // before the first name there is a comment
                int end = texts[i].indexOf('\n');
                ALL.put(texts[i].substring(0, end), texts[i].substring(end + 1));
            }
        }

        private static String resource(String file) {
            try (InputStream in = Script.class.getResourceAsStream(file)) {
                if (in == null) {
                    throw new IllegalStateException("The resource io/idempotency/redis/script/" + file
                            + " is not on the class path: idempotency-redis was repackaged without its resources");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A line of @ and a name stands for the text of that name. */
        static String of(String name) {
            return Pattern.compile("^@([a-z]+)\n", Pattern.MULTILINE)
                    .matcher(ALL.get(name))
                    .replaceAll(part -> Matcher.quoteReplacement(of(part.group(1))));
        }
    }
}
