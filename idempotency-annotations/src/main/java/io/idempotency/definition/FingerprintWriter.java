package io.idempotency.definition;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the canonical form of a call's arguments, which generated code feeds value by value.
 *
 * <p>Every value is typed and self-delimiting, so that no two different arguments are written alike: the number 1 and
 * the text "1" differ, and so do ("a", "bc") and ("ab", "c"). Equal values are written alike whatever their
 * representation: sets and maps in the order of their written elements, decimals without trailing zeros. Properties
 * and the values of maps are left out when null, so that adding an optional one does not change the fingerprint of calls
 * that do not use it.
 *
 * <p>The form is stable: {@link #VERSION} stands in front of every fingerprint and rises with any change here.
 * Not thread-safe; one writer per call.
 */
public final class FingerprintWriter extends FingerprintBuffer {

    /** The version of the canonical form. */
    public static final int VERSION = 1;

    /** How deep arguments may nest. Deeper ones are taken for a cycle. */
    public static final int MAX_DEPTH = 200;

    /** So many digits always fit into 64 bits. */
    private static final int LONG_DIGITS = 18;

    private static final BigInteger MANY_ZEROS = BigInteger.TEN.pow(LONG_DIGITS);

    private final OpenValues openValues;
    private int depth;

    /** A writer that refuses values of open types. */
    public FingerprintWriter() {
        this((value, writer) -> {
            throw new IllegalArgumentException("A " + value.getClass().getName() + " was given where the declared type"
                    + " does not say what it holds, and nothing here can write it. The body did not run.");
        });
    }

    /** A writer that has values of open types written for it. */
    public FingerprintWriter(OpenValues openValues) {
        this.openValues = openValues;
    }

    /** Writes one element of a collection or map. */
    @FunctionalInterface
    public interface ElementWriter<T> {
        /** Writes one element. */
        void write(@Nullable T element, FingerprintWriter writer);
    }

    /** Starts a property; exactly one value follows. Call it for values that are not null only. */
    public void name(String name) {
        chars('N', name);
    }

    /** Starts a property, as {@link #name(String)} does. */
    public void name(EncodedName name) {
        raw(name.written());
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

    /** Writes the name that tells the subtypes of one declared type apart. */
    public void subtype(String discriminator) {
        chars('K', discriminator);
    }

    /** Refuses a value of a closed hierarchy that is none of its types. */
    public void unknownSubtype(Object value, String declared) {
        throw new IllegalArgumentException("A " + value.getClass().getName() + " is none of the known subtypes of "
                + declared
                + " and cannot be fingerprinted. The body did not run. Add it to @JsonSubTypes, or compile the"
                + " operation again.");
    }

    /** Writes null where it has a position: an element of a list, an array or a map. */
    public void nil() {
        tag('Z');
    }

    /** Writes a text. */
    public void text(CharSequence value) {
        chars('S', value);
    }

    /** Writes a value whose text is canonical under a type of its own, for instance a date. */
    public void typed(String type, String value) {
        chars('X', type);
        chars('S', value);
    }

    /** Writes a value that is a few numbers under a type of its own, for instance a date. */
    public void typed(String type, long... values) {
        chars('Y', type);
        for (long value : values) {
            number(value);
        }
    }

    /** Writes an enum constant by name. */
    public void constant(Enum<?> value) {
        chars('E', value.name());
    }

    /** Writes a truth value. */
    public void bool(boolean value) {
        tag(value ? 't' : 'f');
    }

    /** Writes an integral number of up to 64 bits. */
    public void integer(long value) {
        number('I', value);
    }

    /** Writes an integral number of any size. */
    public void integer(BigInteger value) {
        framed('G', value.toByteArray());
    }

    /** Writes a decimal by value: 1.5 and 1.50 are alike. A value whose digits fit a long is always written as one. */
    public void decimal(BigDecimal value) {
        BigDecimal digits = stripped(value.scaleByPowerOfTen(value.scale()));
        long scale = (long) value.scale() + digits.scale(); // may be less than a BigDecimal can have
        if (digits.precision() <= LONG_DIGITS) {
            number('d', digits.signum() == 0 ? 0 : scale);
            number(digits.scaleByPowerOfTen(digits.scale()).longValue());
        } else {
            number('D', scale);
            framed('G', digits.unscaledValue().toByteArray());
        }
    }

    /** Strips trailing zeros at once. Before JDK 24 BigDecimal divides by ten for each, and 10 MB of them took seconds. */
    public static BigDecimal stripped(BigDecimal value) {
        if (value.precision() <= LONG_DIGITS
                || value.unscaledValue().mod(MANY_ZEROS).signum() != 0) {
            return value.stripTrailingZeros(); // few divisions
        }
        String digits = value.unscaledValue().toString();
        int zeros = digits.length() - digits.replace('0', ' ').stripTrailing().length();
        return value.setScale(Math.subtractExact(value.scale(), zeros));
    }

    /**
     * Writes a number of any class by value: 1, 1L and 1.0 are alike. A binary one counts by the exact value of its bits,
     * since the text that stands for it differs between Java versions.
     *
     * @throws IllegalArgumentException when it is not a number
     */
    public void decimal(Number value) {
        if (value instanceof BigDecimal exact) {
            decimal(exact);
        } else if (value instanceof Double || value instanceof Float) {
            exactly(value.doubleValue());
        } else {
            decimal(new BigDecimal(value.toString()));
        }
    }

    /** Writes a binary number; JSON mappers read {@code 1e1000} as infinite. */
    private void exactly(double value) {
        if (Double.isFinite(value)) {
            decimal(new BigDecimal(value));
        } else if (Double.isInfinite(value)) {
            real(value);
        } else {
            throw new IllegalArgumentException(
                    "The number " + value + " cannot be part of the arguments' fingerprint: JSON"
                            + " has no such number. The body did not run. Pass a finite one, or mark it @NotFingerprinted.");
        }
    }

    /** Writes a double by its canonical bits. */
    public void real(double value) {
        int64('R', Double.doubleToLongBits(value));
    }

    /** Writes a float by its canonical bits. */
    public void real(float value) {
        int64('r', Float.floatToIntBits(value));
    }

    /** Writes a character. */
    public void character(char value) {
        number('C', value);
    }

    /** Writes a UUID. */
    public void uuid(UUID value) {
        int64('U', value.getMostSignificantBits());
        int64(value.getLeastSignificantBits());
    }

    /** Writes bytes. */
    public void bytes(byte[] value) {
        framed('B', value);
    }

    /** Writes the remaining bytes of a buffer, whose position does not change. */
    public void bytes(ByteBuffer value) {
        bytes(CanonicalKey.copied(value));
    }

    /**
     * Writes a value whose declared type does not say what it holds.
     *
     * @throws IllegalArgumentException when it cannot be written; the body does not run then
     */
    public void open(Object value) {
        openValues.write(value, this);
    }

    /**
     * Writes elements whose declared type does not say whether their order counts, by what holds them at run time: a
     * list, an array's view or a queue in its order, any other collection without one.
     *
     * @throws IllegalArgumentException when they are no collection, so that nothing says whether their order counts
     */
    public <T> void elements(Iterable<? extends T> elements, ElementWriter<T> element) {
        if (ElementOrder.counts(elements)) {
            list(elements, element);
        } else {
            set(elements, element);
        }
    }

    /** Writes elements in their own order. */
    public <T> void list(Iterable<? extends T> elements, ElementWriter<T> element) {
        enter();
        tag('[');
        for (T each : elements) {
            element.write(each, this);
        }
        depth--;
        tag(']');
    }

    /** Writes elements whose order means nothing. */
    public <T> void set(Iterable<? extends T> elements, ElementWriter<T> element) {
        enter();
        tag('<');
        Pieces pieces = new Pieces();
        for (T each : elements) {
            element.write(each, this);
            pieces.add();
        }
        pieces.sort();
        depth--;
        tag('>');
    }

    /** Writes a map in the order of its written keys. As everywhere, null and an empty optional are as if they were not there. */
    public <K, V> void map(Map<? extends K, ? extends V> map, ElementWriter<K> key, ElementWriter<V> value) {
        enter();
        tag('(');
        Pieces pieces = new Pieces();
        for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
            V held = entry.getValue();
            if (held != null && !(held instanceof Optional<?> optional && optional.isEmpty())) {
                key.write(entry.getKey(), this);
                value.write(held, this);
                pieces.add();
            }
        }
        pieces.sort();
        depth--;
        tag(')');
    }

    /** Arguments nest too deep to be fingerprinted, as JSON that a client sent may. The body did not run. */
    public static final class TooDeepException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        public TooDeepException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw new TooDeepException(
                    "The arguments nest deeper than " + MAX_DEPTH
                            + " levels, or contain themselves, and cannot be fingerprinted. The body did not run."
                            + " Mark the property that closes the cycle with @NotFingerprinted.",
                    null);
        }
    }
}
