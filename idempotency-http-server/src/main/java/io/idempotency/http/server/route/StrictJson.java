package io.idempotency.http.server.route;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON to the letter (RFC 8259), and refuses what two readers may take for different things: a name twice in an
 * object, half a surrogate pair. A reader that maps documents to objects is more lenient, and has doubles for numbers.
 */
final class StrictJson {

    /** What stands for null, which is no value of a map. */
    enum Word {
        NULL;

        @Override
        public String toString() {
            return "null";
        }
    }

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    /** Documents of people are not as deep, and the stack has an end. */
    private static final int DEEPEST = 200;

    /** Longer ones take long to compute. */
    private static final int LONGEST_NUMBER = 1000;

    private static final int HEX = 16;
    private static final int UNICODE_DIGITS = 4;

    private final String text;
    private int at;

    private StrictJson(String text) {
        this.text = text;
    }

    private static final class NotStrict extends Exception {
        private static final long serialVersionUID = 1L;

        NotStrict() {
            super(null, null, false, false);
        }
    }

    /**
     * The value of a document.
     *
     * @return a map in the order of its names, a list, a string, a number without zeros at its end, a truth or {@link Word};
     *     empty for anything else
     */
    static Optional<Object> parsed(String document) {
        StrictJson json = new StrictJson(document);
        try {
            Object value = json.value(0);
            require(json.at == document.length());
            return Optional.of(value);
        } catch (NotStrict e) {
            return Optional.empty();
        }
    }

    private static void require(boolean fulfilled) throws NotStrict {
        if (!fulfilled) {
            throw new NotStrict();
        }
    }

    /** With the white space around it. */
    private Object value(int depth) throws NotStrict {
        require(depth <= DEEPEST);
        space();
        Object value = switch (next()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", Word.NULL);
            default -> number();
        };
        space();
        return value;
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

    private Object word(String word, Object value) throws NotStrict {
        require(text.startsWith(word, at));
        at += word.length();
        return value;
    }

    private Map<String, Object> object(int depth) throws NotStrict {
        Map<String, Object> members = new TreeMap<>();
        at++;
        space();
        if (takes('}')) {
            return members;
        }
        do {
            space();
            require(next() == '"');
            String name = string();
            space();
            require(takes(':'));
            require(members.put(name, value(depth + 1)) == null);
        } while (takes(','));
        require(takes('}'));
        return members;
    }

    private List<Object> array(int depth) throws NotStrict {
        List<Object> elements = new ArrayList<>();
        at++;
        space();
        if (takes(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
        } while (takes(','));
        require(takes(']'));
        return elements;
    }

    private BigDecimal number() throws NotStrict {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        require(number.lookingAt() && number.end() - at <= LONGEST_NUMBER);
        at = number.end();
        try {
            return new BigDecimal(number.group()).stripTrailingZeros();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new NotStrict(); // its exponent is beyond every use
        }
    }

    private String string() throws NotStrict {
        StringBuilder string = new StringBuilder();
        at++;
        while (!takes('"')) {
            char c = next();
            at++;
            require(c >= ' ');
            string.append(c == '\\' ? escaped() : c);
        }
        String whole = string.toString();
        require(whole.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
        return whole;
    }

    private char escaped() throws NotStrict {
        char c = next();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw new NotStrict();
        };
    }

    private char unicode() throws NotStrict {
        require(at + UNICODE_DIGITS <= text.length());
        int code = 0;
        for (int end = at + UNICODE_DIGITS; at < end; at++) {
            int digit = Character.digit(text.charAt(at), HEX);
            require(digit >= 0 && text.charAt(at) < 0x80);
            code = code * HEX + digit;
        }
        return (char) code;
    }
}
