package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class FingerprintWriterTest {

    private static byte[] written(Consumer<FingerprintWriter> values) {
        FingerprintWriter writer = new FingerprintWriter();
        values.accept(writer);
        return writer.toByteArray();
    }

    private static byte[] decimal(String value) {
        return written(writer -> writer.decimal(new BigDecimal(value)));
    }

    @Test
    void decimalsAreWrittenByValue() {
        List<List<String>> alike = List.of(
                List.of("0", "0.000", "0E+9", "-0"),
                List.of("1.5", "1.50", "15E-1", "1.500000000000000000000000000000"),
                List.of("1500", "1.5E+3", "1500.00"),
                List.of("-9223372036854775808", "-9223372036854775808.0"),
                List.of("123456789012345678", "123456789012345678.0", "1234567890123456780E-1"),
                List.of("9223372036854775808", "9223372036854775808.000", "92233720368547758080E-1"),
                List.of("123456789012345678901234567890", "123456789012345678901234567890.00"));
        for (List<String> same : alike) {
            for (String value : same) {
                assertThat(decimal(value)).as(value).isEqualTo(decimal(same.get(0)));
            }
            for (List<String> others : alike) {
                if (others != same) {
                    assertThat(decimal(others.get(0))).isNotEqualTo(decimal(same.get(0)));
                }
            }
        }
    }

    @Test
    void zerosAreStrippedAsABigDecimalStripsThem() {
        for (String digits :
                List.of("0", "1", "-1", "25", "123456789012345678", "-9223372036854775809", "9".repeat(400))) {
            for (int zeros : new int[] {0, 1, 17, 18, 19, 40, 999}) {
                for (int scale : new int[] {0, -3, 20, Integer.MAX_VALUE, Integer.MIN_VALUE + 18, Integer.MIN_VALUE}) {
                    BigDecimal value = new BigDecimal(new BigInteger(digits + "0".repeat(zeros)), scale);
                    assertThat(stripped(() -> FingerprintWriter.stripped(value)))
                            .as("%s and %s zeros, scale %s", digits, zeros, scale)
                            .isEqualTo(stripped(value::stripTrailingZeros));
                }
            }
        }
    }

    private static Object stripped(Supplier<BigDecimal> way) {
        try {
            return way.get();
        } catch (ArithmeticException e) {
            return "its scale is less than a BigDecimal can have";
        }
    }

    /** A client may send 10 MB of them. */
    @Test
    void manyZerosCostLittleMoreThanTheirDigits() {
        BigDecimal value = new BigDecimal("1" + "0".repeat(999));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        written(writer -> writer.list(Collections.nCopies(10, value), (each, to) -> to.decimal(value)));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100 * 10 * 1000);
    }

    @Test
    void valuesOfDifferentTypesAreNeverAlike() {
        List<byte[]> all = List.of(
                written(writer -> writer.integer(1)),
                written(writer -> writer.integer(BigInteger.ONE)),
                written(writer -> writer.text("1")),
                written(writer -> writer.character('1')),
                written(writer -> writer.decimal(BigDecimal.ONE)),
                written(writer -> writer.real(1.0)),
                written(writer -> writer.real(1.0f)),
                written(writer -> writer.bool(true)),
                written(writer -> writer.bytes(new byte[] {1})),
                written(FingerprintWriter::nil));
        assertThat(all.stream().map(Arrays::toString)).doesNotHaveDuplicates();
    }

    @Test
    void textsAreFramed() {
        assertThat(written(writer -> {
                    writer.text("a");
                    writer.text("bc");
                }))
                .isNotEqualTo(written(writer -> {
                    writer.text("ab");
                    writer.text("c");
                }));
        assertThat(written(writer -> writer.text("\ud800"))).isNotEqualTo(written(writer -> writer.text("?")));
    }

    /** Texts that look like what stands between them: each tag, what ends one, NUL, and characters of more than a byte. */
    private static List<Object> texts() {
        List<Object> texts = new ArrayList<>();
        for (char c = 'A'; c <= 'z'; c++) {
            texts.add(String.valueOf(c));
        }
        texts.addAll(List.of("", "<", ">", "{", "}", "\0", "\1", "\0S", "S\0", "SS", "][", "\u0080", "\u00e9"));
        texts.addAll(List.of("\u6153", "\u5361", "\ud800", "\ud83d\ude00", "\uffff"));
        return texts.stream().distinct().toList();
    }

    /** Alone, by twos, nested in each other, and as properties: no two of them are written alike. */
    @Test
    void differentStructuresAreNeverAlike() {
        List<Object> few = List.of("", "S", "]", "}", "N", "Z", "\0", "\u00e9", "\u6153");
        List<Object> all = new ArrayList<>(texts());
        List<Object> inner = new ArrayList<>(few);
        inner.add(List.of());
        inner.add(Map.of());
        for (Object one : texts()) {
            all.add(List.of(one));
            for (Object other : texts()) {
                all.add(List.of(one, other));
                all.add(Map.of((String) one, other));
            }
        }
        for (Object one : few) {
            inner.add(List.of(one));
            inner.add(Map.of("N", one));
            inner.add(Map.of((String) one, "S"));
        }
        for (Object one : inner) {
            for (Object other : inner) {
                all.add(List.of(one, List.of(other)));
                all.add(List.of(List.of(one), other));
                all.add(List.of("S", one, other));
                all.add(Map.of("A", one, "B", other));
            }
        }
        Map<String, Object> written = new HashMap<>();
        for (Object value : new LinkedHashSet<>(all)) {
            Object before = written.put(Arrays.toString(written(writer -> write(value, writer))), value);
            assertThat(before).as("is written as %s", value).isNull();
        }
    }

    private static void write(Object value, FingerprintWriter writer) {
        if (value instanceof List<?> list) {
            writer.list(list, (each, to) -> write(each, to));
        } else if (value instanceof Map<?, ?> properties) {
            writer.begin();
            new TreeMap<>(properties).forEach((name, each) -> {
                writer.name((String) name);
                write(each, writer);
            });
            writer.end();
        } else {
            writer.text((String) value);
        }
    }

    @Test
    void aNameIsTheSameEncodedOnceOrEachTime() {
        for (String name : List.of("id", "größe", "")) {
            assertThat(written(writer -> writer.name(EncodedName.of(name))))
                    .isEqualTo(written(writer -> writer.name(name)));
        }
    }

    @Test
    void numbersOfAnySizeStayApart() {
        List<Long> numbers = List.of(0L, 1L, -1L, 63L, 64L, -64L, -65L, 128L, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(numbers.stream().map(number -> Arrays.toString(written(writer -> writer.integer(number)))))
                .doesNotHaveDuplicates();
        assertThat(numbers.stream().map(number -> Arrays.toString(written(writer -> writer.typed("t", number, 1)))))
                .doesNotHaveDuplicates();
        assertThat(written(writer -> writer.typed("t", 1, 23)))
                .isNotEqualTo(written(writer -> writer.typed("t", 12, 3)));
    }

    @Test
    void setsWithinSetsAreWrittenAlikeInAnyOrder() {
        List<List<String>> one = List.of(List.of("a", "b", "c"), List.of(), List.of("d"), List.of("ab"));
        List<List<String>> other = List.of(List.of("d"), List.of("ab"), List.of("c", "b", "a"), List.of());
        assertThat(sets(one)).isEqualTo(sets(other));
        assertThat(sets(one)).isNotEqualTo(sets(List.of(List.of("a", "b"), List.of("c"), List.of("d"), List.of("ab"))));
    }

    private static byte[] sets(List<List<String>> sets) {
        return written(writer -> writer.set(sets, (set, to) -> to.set(set, (text, inner) -> inner.text(text))));
    }

    @Test
    void setsAndMapsAreWrittenAlikeInAnyOrderAndListsAreNot() {
        Map<String, Long> forwards = new LinkedHashMap<>();
        for (long i = 0; i < 50; i++) {
            forwards.put("k" + i, i);
        }
        Map<String, Long> sorted = new TreeMap<>(forwards);
        Map<String, Long> hashed = new HashMap<>(forwards);
        assertThat(map(sorted)).isEqualTo(map(forwards)).isEqualTo(map(hashed));
        hashed.put("k7", 8L);
        assertThat(map(hashed)).isNotEqualTo(map(forwards));

        Set<String> set = new HashSet<>(forwards.keySet());
        assertThat(set(set)).isEqualTo(set(sorted.keySet()));
        assertThat(written(writer -> writer.list(List.of("a", "b"), (text, to) -> to.text(text))))
                .isNotEqualTo(written(writer -> writer.list(List.of("b", "a"), (text, to) -> to.text(text))));
    }

    private static byte[] map(Map<String, Long> map) {
        return written(writer -> writer.map(map, (key, to) -> to.text(key), (value, to) -> to.integer(value)));
    }

    private static byte[] set(Set<String> set) {
        return written(writer -> writer.set(set, (text, to) -> to.text(text)));
    }

    @Test
    void aNumberOfAnyClassIsWrittenByTheValueThatItHas() {
        assertThat(number(new BigDecimal("1.50"))).isEqualTo(decimal("1.5"));
        assertThat(number(0.1)).isEqualTo(decimal("0.1000000000000000055511151231257827021181583404541015625"));
        assertThat(number(0.1f)).isEqualTo(decimal("0.100000001490116119384765625"));
        assertThat(number((1L << 53) + 1)).isEqualTo(decimal("9007199254740993"));
        assertThat(number(Float.POSITIVE_INFINITY)).isEqualTo(number(Double.POSITIVE_INFINITY));
        assertThat(number(Double.NEGATIVE_INFINITY)).isNotEqualTo(number(Double.POSITIVE_INFINITY));
        assertThat(decimal("10000000000000000000e2147483647")).isNotEqualTo(decimal("1000000000000000000e2147483647"));
        assertThatThrownBy(() -> number(Float.NaN)).hasMessageContaining("NaN").hasMessageContaining("did not run");
    }

    private static byte[] number(Number value) {
        return written(writer -> writer.decimal(value));
    }

    /** The buffer grows before every value that it has no room for, and keeps what it has. */
    @Test
    void everyValueIsWrittenAlikeWhereverItBegins() {
        List<Consumer<FingerprintWriter>> values = List.of(
                FingerprintWriter::nil,
                writer -> writer.text(""),
                writer -> writer.text("\uffff".repeat(700)),
                writer -> writer.bytes(new byte[0]),
                writer -> writer.bytes(new byte[3000]),
                writer -> writer.integer(Long.MIN_VALUE),
                writer -> writer.typed("", Long.MIN_VALUE, Long.MIN_VALUE),
                writer -> writer.uuid(new UUID(1, 2)),
                writer -> writer.real(1.5),
                writer -> writer.name(EncodedName.of("name")));
        for (Consumer<FingerprintWriter> value : values) {
            byte[] alone = written(value);
            for (int before = 0; before < 1100; before++) {
                int count = before;
                byte[] all = written(writer -> {
                    for (int i = 0; i < count; i++) {
                        writer.nil();
                    }
                    value.accept(writer);
                });
                assertThat(all).hasSize(before + alone.length).endsWith(alone);
            }
        }
    }

    @Test
    void digestTakesWhatWasWrittenAndNoMore() throws NoSuchAlgorithmException {
        FingerprintWriter writer = new FingerprintWriter();
        writer.text("a");
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        writer.digestInto(digest);
        assertThat(digest.digest())
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(writer.toByteArray()));
    }

    private static final List<BiConsumer<FingerprintWriter, Consumer<FingerprintWriter>>> HOLDERS = List.of(
            (writer, held) -> {
                writer.begin();
                held.accept(writer);
                writer.end();
            },
            (writer, held) -> writer.list(List.of(1), (element, to) -> held.accept(to)),
            (writer, held) -> writer.set(List.of(1), (element, to) -> held.accept(to)),
            (writer, held) -> writer.map(Map.of(1, 1), (key, to) -> to.nil(), (element, to) -> held.accept(to)));

    private static void nested(
            BiConsumer<FingerprintWriter, Consumer<FingerprintWriter>> holder, int levels, FingerprintWriter writer) {
        if (levels > 0) {
            holder.accept(writer, inner -> nested(holder, levels - 1, inner));
        }
    }

    @Test
    void whatNestsTooDeepIsAClearError() {
        for (BiConsumer<FingerprintWriter, Consumer<FingerprintWriter>> holder : HOLDERS) {
            assertThatThrownBy(() -> nested(holder, FingerprintWriter.MAX_DEPTH + 1, new FingerprintWriter()))
                    .hasMessageContaining("contain themselves")
                    .hasMessageContaining("The body did not run");
            FingerprintWriter writer = new FingerprintWriter();
            nested(holder, FingerprintWriter.MAX_DEPTH, writer);
            nested(holder, FingerprintWriter.MAX_DEPTH, writer);
        }
    }
}
