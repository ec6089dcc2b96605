package io.idempotency.http.server.route;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes every form of a JSON document as one text: members in the order of their names, no white space, strings without needless
 * escapes (RFC 8785), numbers by value, of any precision. A document that two readers may understand differently has no such text: what is
 * no JSON to the letter (RFC 8259), an object with a name twice, half a surrogate pair. A mapper to objects is more lenient, and rounds.
 */
final class CanonicalJson {

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");
    private static final Pattern UNICODE = Pattern.compile("u[0-9a-fA-F]{4}");
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String MEANT = "\"\\/\b\f\n\r\t";
    private static final int HEX = 16;

    /** The stack has an end. */
    private static final int DEEPEST = 200;

    /** Longer numbers take long to compute. */
    private static final int LONGEST_NUMBER = 1000;

    private final String text;
    private int at;

    private CanonicalJson(String text) {
        this.text = text;
    }

    private static final class NotStrict extends Exception {
        private static final long serialVersionUID = 1L;

        NotStrict() {
            super(null, null, false, false);
        }
    }

    /** The text in UTF-8; empty where there is none. */
    static Optional<byte[]> of(byte[] document) {
        try {
            // unlike a String's constructor this puts nothing in the place of what is no UTF-8
            CanonicalJson json = new CanonicalJson(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(document))
                    .toString());
            StringBuilder canonical = new StringBuilder(document.length);
            json.value(canonical, 0);
            require(json.at == json.text.length());
            return Optional.of(canonical.toString().getBytes(StandardCharsets.UTF_8));
        } catch (CharacterCodingException | NotStrict e) {
            return Optional.empty();
        }
    }

    private static void require(boolean fulfilled) throws NotStrict {
        if (!fulfilled) {
            throw new NotStrict();
        }
    }

    /** Reads a value with the white space around it. */
    private void value(StringBuilder canonical, int depth) throws NotStrict {
        require(depth <= DEEPEST);
        space();
        switch (next()) {
            case '{' -> object(canonical, depth + 1);
            case '[' -> array(canonical, depth + 1);
            case '"' -> canonical.append(string());
            case 't' -> word(canonical, "true");
            case 'f' -> word(canonical, "false");
            case 'n' -> word(canonical, "null");
            default -> number(canonical);
        }
        space();
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char next() throws NotStrict {
        require(at < text.length());
        return text.charAt(at);
    }

    private boolean takes(char wanted) throws NotStrict {
        boolean there = next() == wanted;
        at += there ? 1 : 0;
        return there;
    }

    private void object(StringBuilder canonical, int depth) throws NotStrict {
        Map<String, StringBuilder> members = new TreeMap<>();
        at++;
        space();
        if (!takes('}')) {
            do {
                space();
                String name = string();
                space();
                require(takes(':'));
                StringBuilder member = new StringBuilder();
                value(member, depth);
                require(members.put(name, member) == null);
            } while (takes(','));
            require(takes('}'));
        }
        canonical.append('{');
        members.forEach((name, member) ->
                canonical.append(name).append(':').append(member).append(','));
        canonical.append('}');
    }

    private void array(StringBuilder canonical, int depth) throws NotStrict {
        at++;
        space();
        canonical.append('[');
        if (!takes(']')) {
            do {
                value(canonical, depth);
                canonical.append(',');
            } while (takes(','));
            require(takes(']'));
        }
        canonical.append(']');
    }

    private void word(StringBuilder canonical, String word) throws NotStrict {
        require(text.startsWith(word, at));
        at += word.length();
        canonical.append(word);
    }

    private void number(StringBuilder canonical) throws NotStrict {
        String number = token(NUMBER);
        require(number.length() <= LONGEST_NUMBER);
        try {
            canonical.append(new BigDecimal(number).stripTrailingZeros());
        } catch (ArithmeticException | NumberFormatException e) {
            throw new NotStrict(); // its exponent is beyond every use
        }
    }

    private String token(Pattern pattern) throws NotStrict {
        Matcher token = pattern.matcher(text).region(at, text.length());
        require(token.lookingAt());
        at = token.end();
        return token.group();
    }

    /** A string in quotes, in which only quotes and backslashes are escaped. */
    private String string() throws NotStrict {
        require(takes('"'));
        StringBuilder string = new StringBuilder("\"");
        while (!takes('"')) {
            char c = text.charAt(at++);
            require(c >= ' ');
            char meant = c == '\\' ? escaped() : c;
            string.append(meant == '"' || meant == '\\' ? "\\" : "").append(meant);
        }
        String whole = string.append('"').toString();
        require(whole.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
        return whole;
    }

    private char escaped() throws NotStrict {
        char c = next();
        if (c == 'u') {
            return (char) Integer.parseInt(token(UNICODE).substring(1), HEX);
        }
        at++;
        int index = ESCAPES.indexOf(c);
        require(index >= 0);
        return MEANT.charAt(index);
    }
}
