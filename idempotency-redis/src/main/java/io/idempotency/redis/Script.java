package io.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Lua scripts, one for each verb. */
enum Script {
    CLAIM,
    SETTLE,
    RENEW,
    DOUBT,
    RELEASE,
    FIND,
    RESOLVE,
    ERASE,
    SWEEP;

    final byte[] source;
    final String digest;

    Script() {
        source = Texts.of(name().toLowerCase(Locale.ROOT)).getBytes(StandardCharsets.UTF_8);
        digest = PackedRecord.sha1(source, 0, source.length);
    }

    /** Tells whether replicas must receive what it changes. A release that they lack ends in doubt, not in a run. */
    boolean needsReplicas() {
        return this != FIND && this != SWEEP && this != RELEASE;
    }

    private static final class Texts {

        /** The texts by name. A line of --- and a name begins a text; comments come before the first. */
        private static final Map<String, String> ALL = Stream.of("record.lua", "verbs.lua")
                .flatMap(file -> Stream.of(resource(file).split("(?m)^--- ")).skip(1))
                .map(text -> text.split("\n", 2))
                .collect(Collectors.toMap(text -> text[0], text -> text[1]));

        private static String resource(String file) {
            try (InputStream in = Objects.requireNonNull(
                    Script.class.getResourceAsStream("script/" + file),
                    "idempotency-redis was repackaged without " + file)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns a text, with the text of the name in place of each line of @ and a name. */
        static String of(String name) {
            return Pattern.compile("^@([a-z]+)\n", Pattern.MULTILINE)
                    .matcher(ALL.get(name))
                    .replaceAll(part -> Matcher.quoteReplacement(of(part.group(1))));
        }
    }
}
