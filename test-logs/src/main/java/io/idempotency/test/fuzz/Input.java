package io.idempotency.test.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Parts of one bad input, in the order in which they are asked for. The same seed gives the same parts. */
public final class Input {

    /** What readers of numbers, lengths and times find hard. */
    private static final List<Long> EDGES = List.of(
            0L,
            255L,
            65_536L,
            1L << 31,
            -(1L << 31),
            1L << 32,
            1L << 48,
            1L << 53,
            1_790_000_000_000L,
            Long.MAX_VALUE,
            Long.MIN_VALUE);

    private static final List<String> NUMBERS = List.of(
            "1e1000000000",
            "-1e1000000000",
            "1e-1000000000",
            "100e2147483647",
            "10000000000000000000e2147483647",
            "1e99999999999",
            "-0",
            "0.1e-0",
            "NaN",
            "00",
            "+1",
            "1.");

    /** What some format takes for more than text. */
    private static final List<String> TOKENS = List.of(
            "\"",
            "\\",
            "'",
            "\0",
            "\r\n",
            "\t",
            " ",
            ",",
            ";a=1",
            "=",
            ":",
            "~",
            "/",
            "%00",
            "{",
            "[",
            "(1)",
            "${x}",
            "#{1}",
            "$1",
            "--",
            "\u0001sealed:",
            "\u00e9",
            "\u65e5",
            "\u202e",
            "\ufeff",
            "\ud83d\ude00",
            "\ud800",
            "\udfff",
            "null");

    private final SplittableRandom random;

    Input(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** From 0 on, and less than the bound. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** True once in so many times. */
    public boolean oneIn(int times) {
        return below(times) == 0;
    }

    /** One of several. */
    @SafeVarargs
    public final <T> T one(T... of) {
        return one(Arrays.asList(of));
    }

    /** One of several. */
    public <T> T one(List<T> of) {
        return of.get(below(of.size()));
    }

    /** Any number; most are small, or beside one that is hard to read. */
    public long number() {
        return switch (below(3)) {
            case 0 -> random.nextLong();
            case 1 -> below(300);
            default -> one(EDGES) + below(5) - 2;
        };
    }

    /** Any bytes. */
    public byte[] bytes(int most) {
        byte[] bytes = new byte[below(most + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** Any UTF-16 units, also halves of surrogate pairs; what formats take for more than text is frequent. */
    public String text(int most) {
        int length = below(most + 1);
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            switch (below(6)) {
                case 0 -> text.append(one(TOKENS));
                case 1 -> text.append((char) below(Character.MAX_VALUE + 1));
                case 2 -> text.append(one(NUMBERS));
                default -> text.append((char) (' ' + below(95)));
            }
        }
        text.setLength(length);
        return text.toString();
    }

    /** Nearly JSON: numbers, names and depths that are hard to read, and once in three times broken. */
    public String json(String... names) {
        StringBuilder json = new StringBuilder();
        value(json, names, 0);
        return oneIn(3) ? new String(changed(json.toString().getBytes(UTF_8)), UTF_8) : json.toString();
    }

    private void value(StringBuilder json, String[] names, int depth) {
        switch (below(depth > 3 ? 4 : 8)) {
            case 0 -> json.append(one("null", "true", "false"));
            case 1 -> json.append(number());
            case 2 -> json.append(one(NUMBERS));
            case 3 -> json.append(quoted(text(12)));
            case 4 -> several(json, names, false, depth);
            case 5 -> {
                int levels = one(10, 1_000, 20_000);
                boolean array = oneIn(2);
                json.append((array ? "[" : "{\"a\":").repeat(levels))
                        .append(1)
                        .append((array ? "]" : "}").repeat(levels));
            }
            default -> several(json, names, true, depth);
        }
    }

    private void several(StringBuilder json, String[] names, boolean object, int depth) {
        json.append(object ? '{' : '[');
        for (int i = below(5); i > 0; i--) {
            if (object) {
                json.append(quoted(oneIn(4) ? text(5) : one(names))).append(':');
            }
            value(json, names, depth + 1);
            json.append(i > 1 ? "," : "");
        }
        json.append(object ? '}' : ']');
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The bytes with up to three changes: other bytes, cut off, longer, a part twice or left out, a length that is a lie. */
    public byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        for (int i = below(3); i >= 0; i--) {
            changed = changedOnce(changed);
        }
        return changed;
    }

    private byte[] changedOnce(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes(20);
        }
        int from = below(bytes.length);
        int to = from + below(Math.min(bytes.length - from, 16) + 1);
        byte[] start = Arrays.copyOf(bytes, from);
        byte[] part = Arrays.copyOfRange(bytes, from, to);
        byte[] rest = Arrays.copyOfRange(bytes, to, bytes.length);
        return switch (below(7)) {
            case 0 -> start;
            case 1 -> joined(start, rest);
            case 2 -> joined(start, part, part, rest);
            case 3 -> joined(bytes, bytes(20));
            case 4 -> joined(start, bytes(16), rest);
            case 5 -> over(bytes, from);
            default -> {
                byte[] other = bytes.clone();
                other[from] ^= (byte) (1 << below(Byte.SIZE));
                yield other;
            }
        };
    }

    /** Four or eight bytes are a number. */
    private byte[] over(byte[] bytes, int from) {
        byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(number()).array();
        byte[] written = oneIn(2) ? number : Arrays.copyOfRange(number, Integer.BYTES, Long.BYTES);
        byte[] other = bytes.clone();
        System.arraycopy(written, 0, other, from, Math.min(written.length, bytes.length - from));
        return other;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
