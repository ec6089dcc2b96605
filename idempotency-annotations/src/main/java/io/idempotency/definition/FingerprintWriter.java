package io.idempotency.definition;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the canonical form of a call's arguments, which generated code feeds value by value.
 *
 * <p>Every value is typed and self-delimiting, so that no two different arguments are written alike: the number 1 and
 * the text "1" differ, and so do ("a", "bc") and ("ab", "c"). Equal values are written alike whatever their
 * representation: sets and maps in the order of their written elements, decimals without trailing zeros. Properties
 * are written by name and left out when null, so that adding an optional one does not change the fingerprint of calls
 * that do not use it.
 *
 * <p>The form is stable: {@link #VERSION} stands in front of every fingerprint and rises with any change here.
 * Not thread-safe; one writer per call.
 */
public final class FingerprintWriter {

    /** The version of the canonical form. */
    public static final int VERSION = 1;

    /** How deep arguments may nest. Deeper ones are taken for a cycle. */
    public static final int MAX_DEPTH = 200;

    private static final int INITIAL_CAPACITY = 1024;

    private final OpenValues openValues;
    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int length;
    private int depth;

    /** A writer that refuses values of open types. */
    public FingerprintWriter() {
        this((value, writer) -> {
            throw new IllegalArgumentException("A " + value.getClass().getName() + " was given where the declared type"
                    + " does not say what it holds, and nothing here can write it. The body did not run.");
        });
    }

    /**
     * A writer.
     *
     * @param openValues writes values of open types
     */
    public FingerprintWriter(OpenValues openValues) {
        this.openValues = openValues;
    }

    /**
     * Writes one element of a collection or map.
     *
     * @param <T> the element's type
     */
    @FunctionalInterface
    public interface ElementWriter<T> {
        /**
         * Writes one element.
         *
         * @param element the element, possibly null
         * @param writer where it goes
         */
        void write(@Nullable T element, FingerprintWriter writer);
    }

    /**
     * Starts a property; exactly one value follows. Call it for values that are not null only.
     *
     * @param name the property's name
     */
    public void name(String name) {
        tag('N');
        chars(name);
    }

    /** Starts a structure: properties follow, in the order of their names, then {@link #end()}. */
    public void begin() {
        enter();
        tag('{');
    }

    /** Ends a structure. */
    public void end() {
        depth--;
        tag('}');
    }

    /**
     * Writes the name that tells the subtypes of one declared type apart.
     *
     * @param discriminator the subtype's name
     */
    public void subtype(String discriminator) {
        tag('K');
        chars(discriminator);
    }

    /** Writes null where it has a position: an element of a list, an array or a map. */
    public void nil() {
        tag('Z');
    }

    /**
     * Writes a text.
     *
     * @param value the text
     */
    public void text(CharSequence value) {
        tag('S');
        chars(value);
    }

    /**
     * Writes a value whose text is canonical under a type of its own, for instance a date.
     *
     * @param type the type's tag
     * @param value the canonical text
     */
    public void typed(String type, String value) {
        tag('X');
        chars(type);
        chars(value);
    }

    /**
     * Writes an enum constant by name.
     *
     * @param value the constant
     */
    public void constant(Enum<?> value) {
        tag('E');
        chars(value.name());
    }

    /**
     * Writes a truth value.
     *
     * @param value the value
     */
    public void bool(boolean value) {
        tag(value ? 't' : 'f');
    }

    /**
     * Writes an integral number of up to 64 bits.
     *
     * @param value the number
     */
    public void integer(long value) {
        tag('I');
        int64(value);
    }

    /**
     * Writes an integral number of any size.
     *
     * @param value the number
     */
    public void integer(BigInteger value) {
        tag('G');
        framed(value.toByteArray());
    }

    /**
     * Writes a decimal by value: 1.5 and 1.50 are alike.
     *
     * @param value the number
     */
    public void decimal(BigDecimal value) {
        BigInteger unscaled = value.unscaledValue();
        if (unscaled.bitLength() < Long.SIZE) {
            decimal(unscaled.longValue(), value.scale());
            return;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        if (stripped.unscaledValue().bitLength() < Long.SIZE) {
            decimal(stripped.unscaledValue().longValue(), stripped.scale());
            return;
        }
        tag('D');
        varint(stripped.scale());
        framed(stripped.unscaledValue().toByteArray());
    }

    /** What fits into 64 bits without its trailing zeros always comes here, so that one value has one form. */
    private void decimal(long unscaled, int scale) {
        long stripped = unscaled;
        int strippedScale = scale;
        while (stripped != 0 && stripped % 10 == 0) {
            stripped /= 10;
            strippedScale--;
        }
        tag('d');
        varint(stripped == 0 ? 0 : strippedScale);
        int64(stripped);
    }

    /**
     * Writes a double by its canonical bits.
     *
     * @param value the number
     */
    public void real(double value) {
        tag('R');
        int64(Double.doubleToLongBits(value));
    }

    /**
     * Writes a float by its canonical bits.
     *
     * @param value the number
     */
    public void real(float value) {
        tag('r');
        int64(Float.floatToIntBits(value));
    }

    /**
     * Writes a character.
     *
     * @param value the character
     */
    public void character(char value) {
        tag('C');
        varint(value);
    }

    /**
     * Writes a UUID.
     *
     * @param value the UUID
     */
    public void uuid(UUID value) {
        tag('U');
        int64(value.getMostSignificantBits());
        int64(value.getLeastSignificantBits());
    }

    /**
     * Writes bytes.
     *
     * @param value the bytes
     */
    public void bytes(byte[] value) {
        tag('B');
        framed(value);
    }

    /**
     * Writes a value whose declared type does not say what it holds.
     *
     * @param value the value
     * @throws IllegalArgumentException when it cannot be written; the body does not run then
     */
    public void open(Object value) {
        openValues.write(value, this);
    }

    /**
     * Writes elements in their own order.
     *
     * @param elements the elements
     * @param element writes one of them
     * @param <T> their type
     */
    public <T> void list(Iterable<? extends T> elements, ElementWriter<T> element) {
        enter();
        tag('[');
        for (T each : elements) {
            element.write(each, this);
        }
        depth--;
        tag(']');
    }

    /**
     * Writes elements whose order means nothing.
     *
     * @param elements the elements
     * @param element writes one of them
     * @param <T> their type
     */
    public <T> void set(Iterable<? extends T> elements, ElementWriter<T> element) {
        enter();
        tag('<');
        List<byte[]> written = new ArrayList<>();
        int start = length;
        for (T each : elements) {
            element.write(each, this);
            written.add(cut(start));
        }
        written.sort(Arrays::compareUnsigned);
        written.forEach(this::raw);
        depth--;
        tag('>');
    }

    /**
     * Writes a map in the order of its written keys.
     *
     * @param map the map
     * @param key writes a key
     * @param value writes a value
     * @param <K> the keys' type
     * @param <V> the values' type
     */
    public <K, V> void map(Map<? extends K, ? extends V> map, ElementWriter<K> key, ElementWriter<V> value) {
        enter();
        tag('(');
        List<byte[]> written = new ArrayList<>(map.size());
        int start = length;
        for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
            key.write(entry.getKey(), this);
            value.write(entry.getValue(), this);
            written.add(cut(start));
        }
        written.sort(Arrays::compareUnsigned);
        written.forEach(this::raw);
        depth--;
        tag(')');
    }

    /**
     * What was written so far.
     *
     * @return a copy
     */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /**
     * Adds what was written so far to a digest.
     *
     * @param digest the digest
     */
    public void digestInto(MessageDigest digest) {
        digest.update(buffer, 0, length);
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw new IllegalArgumentException("The arguments nest deeper than " + MAX_DEPTH
                    + " levels, or contain themselves, and cannot be fingerprinted. The body did not run. Mark the"
                    + " property that closes the cycle with @NotFingerprinted.");
        }
    }

    private byte[] cut(int start) {
        byte[] piece = Arrays.copyOfRange(buffer, start, length);
        length = start;
        return piece;
    }

    private void framed(byte[] value) {
        varint(value.length);
        raw(value);
    }

    private void raw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, buffer, length, value.length);
        length += value.length;
    }

    private void tag(char tag) {
        ensure(1);
        buffer[length++] = (byte) tag;
    }

    private void int64(long value) {
        ensure(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            buffer[length++] = (byte) (value >>> shift);
        }
    }

    private void varint(int value) {
        if (value >= 0 && value < 0x80 && length < buffer.length) {
            buffer[length++] = (byte) value;
            return;
        }
        ensure(5);
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer[length++] = (byte) (rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        buffer[length++] = (byte) rest;
    }

    /** Each UTF-16 unit on its own, so that unpaired surrogates stay apart where UTF-8 would write them all as '?'. */
    private void chars(CharSequence sequence) {
        String value = sequence.toString(); // one type to call in the loop
        int count = value.length();
        ensure(5 + 3 * count);
        varint(count);
        byte[] target = buffer;
        int at = length;
        for (int i = 0; i < count; i++) {
            char unit = value.charAt(i);
            if (unit < 0x80) {
                target[at++] = (byte) unit;
            } else if (unit < 0x800) {
                target[at++] = (byte) (0xc0 | unit >> 6);
                target[at++] = (byte) (0x80 | unit & 0x3f);
            } else {
                target[at++] = (byte) (0xe0 | unit >> 12);
                target[at++] = (byte) (0x80 | unit >> 6 & 0x3f);
                target[at++] = (byte) (0x80 | unit & 0x3f);
            }
        }
        length = at;
    }

    private void ensure(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
