package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every value, written down from the description of the form: whoever changes one makes other requests of all
 * calls that are recorded, and raises the version instead.
 */
class WrittenFormTest {

    private enum Colour {
        RED
    }

    private final Map<String, String> golden = new LinkedHashMap<>();
    private final Map<String, String> found = new LinkedHashMap<>();
    private final Set<String> methods = new TreeSet<>();

    private static String hex(Consumer<FingerprintWriter> values) {
        FingerprintWriter writer = new FingerprintWriter((value, open) -> open.text(value.toString()));
        values.accept(writer);
        return HexFormat.of().formatHex(writer.toByteArray());
    }

    /** A dot stands for the bytes of the letters behind it, up to a blank. */
    private void written(String method, Consumer<FingerprintWriter> values, String expected) {
        String name = method + " #" + golden.size();
        methods.add(method);
        golden.put(
                name,
                Stream.of(expected.split(" "))
                        .map(part -> part.startsWith(".")
                                ? HexFormat.of().formatHex(part.substring(1).getBytes(StandardCharsets.US_ASCII))
                                : part)
                        .reduce("", String::concat));
        found.put(name, hex(values));
    }

    private static final FingerprintWriter.ElementWriter<String> TEXT = (text, writer) -> {
        if (text == null) {
            writer.nil();
        } else {
            writer.text(text);
        }
    };

    private void scalars() {
        written("name", writer -> writer.name("id"), ".N 02 .id");
        written("name", writer -> writer.name(EncodedName.of("id")), ".N 02 .id");
        written("subtype", writer -> writer.subtype("Card"), ".K 04 .Card");
        written("nil", FingerprintWriter::nil, ".Z");
        written("text", writer -> writer.text(""), ".S 00");
        written("text", writer -> writer.text("a\0"), ".S 02 .a 00");
        // units of UTF-16 in up to three bytes, surrogates too
        written(
                "text",
                writer -> writer.text("\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00"),
                ".S 07 7f c280 dfbf e0a080 efbfbf eda0bd edb880");
        written("text", writer -> writer.text("a".repeat(128)), ".S 8001 " + "61".repeat(128));
        written("typed", writer -> writer.typed("uri", "x:y"), ".X 03 .uri .S 03 .x:y");
        written("typed", writer -> writer.typed("date", 1, -1, 64), ".Y 04 .date 02 01 8001");
        written("constant", writer -> writer.constant(Colour.RED), ".E 03 .RED");
        written("bool", writer -> writer.bool(true), ".t");
        written("bool", writer -> writer.bool(false), ".f");
        written("character", writer -> writer.character('a'), ".C c201");
        written(
                "uuid",
                writer -> writer.uuid(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")),
                ".U 00112233445566778899aabbccddeeff");
        written("bytes", writer -> writer.bytes(new byte[] {0, -1}), ".B 02 00ff");
        written("bytes", writer -> writer.bytes(ByteBuffer.wrap(new byte[] {9, 0, -1}, 1, 2)), ".B 02 00ff");
        written("open", writer -> writer.open("o"), ".S 01 .o");
    }

    private void numbers() {
        written("integer", writer -> writer.integer(0), ".I 00");
        written("integer", writer -> writer.integer(-1), ".I 01");
        written("integer", writer -> writer.integer(300), ".I d804");
        written("integer", writer -> writer.integer(Long.MIN_VALUE), ".I ffffffffffffffffff01");
        written("integer", writer -> writer.integer(new BigInteger("-129")), ".G 02 ff7f");
        written("decimal", writer -> writer.decimal(new BigDecimal("1.50")), ".d 02 1e");
        written("decimal", writer -> writer.decimal(new BigDecimal("0.00")), ".d 00 00");
        written("decimal", writer -> writer.decimal(new BigDecimal("1E+3")), ".d 05 02");
        written(
                "decimal",
                writer -> writer.decimal(new BigDecimal("1234567890123456789")),
                ".D 00 .G 08 112210f47de98115");
        written("decimal", writer -> writer.decimal((Number) 0.5), ".d 02 0a");
        written("decimal", writer -> writer.decimal((Number) 7), ".d 00 0e");
        written("real", writer -> writer.real(1.0), ".R 3ff0000000000000");
        written("real", writer -> writer.real(1.0f), ".r 000000003f800000");
        written("real", writer -> writer.real(-1.0f), ".r ffffffffbf800000");
    }

    private void structures() {
        written(
                "begin",
                writer -> {
                    writer.begin();
                    writer.name("a");
                    writer.bool(true);
                    writer.end();
                },
                ".{ .N 01 .a .t .}");
        written(
                "end",
                writer -> {
                    writer.begin();
                    writer.end();
                },
                ".{ .}");
        written("list", writer -> writer.list(Arrays.asList("b", null, "a"), TEXT), ".[ .S 01 .b .Z .S 01 .a .]");
        written("set", writer -> writer.set(List.of("b", "a"), TEXT), ".< .S 01 .a .S 01 .b .>");
        written("elements", writer -> writer.elements(List.of("b", "a"), TEXT), ".[ .S 01 .b .S 01 .a .]");
        written("elements", writer -> writer.elements(Set.of("a"), TEXT), ".< .S 01 .a .>");
        Map<String, Object> map = new HashMap<>(Map.of("b", "2", "a", "1", "d", Optional.empty()));
        map.put("c", null);
        written(
                "map",
                writer -> writer.map(map, TEXT, (value, to) -> to.text(String.valueOf(value))),
                ".( .S 01 .a .S 01 .1 .S 01 .b .S 01 .2 .)");
    }

    @Test
    void everyValueIsWrittenAsItWasInTheFirstVersion() {
        scalars();
        numbers();
        structures();
        assertThat(found).isEqualTo(golden);
        assertThat(FingerprintWriter.VERSION).isEqualTo(1);
        assertThat(methods).isEqualTo(new TreeSet<>(publicMethods()));
    }

    private static List<String> publicMethods() {
        return Stream.of(FingerprintWriter.class.getDeclaredMethods())
                .filter(method -> (method.getModifiers() & (Modifier.PUBLIC | Modifier.STATIC)) == Modifier.PUBLIC
                        && !method.isSynthetic())
                .map(Method::getName)
                .filter(name ->
                        !Set.of("toByteArray", "digestInto", "unknownSubtype").contains(name))
                .distinct()
                .toList();
    }

    /** Letters that are tags, that differ in one bit or byte only, that end texts elsewhere, and that are no characters. */
    private static final List<String> UNITS =
            List.of("S", "]", "\0", "\u0001", "\u00d3", "\u0153", "\u5300", "\uf300", "\ud83d");

    /** All texts of up to three units. */
    private static List<String> texts() {
        List<String> texts = new ArrayList<>(List.of(""));
        for (int from = 0, length = 0; length < 3; length++) {
            int to = texts.size();
            for (String shorter : List.copyOf(texts.subList(from, to))) {
                UNITS.forEach(unit -> texts.add(shorter + unit));
            }
            from = to;
        }
        return texts;
    }

    @Test
    void differentListsOfTextsAreNeverWrittenAlike() {
        List<String> texts = texts();
        List<String> few = texts.stream().filter(text -> text.length() < 3).toList();
        List<List<String>> lists = new ArrayList<>(List.of(List.of()));
        texts.forEach(text -> lists.add(List.of(text)));
        few.forEach(one -> texts.forEach(other -> lists.add(List.of(one, other))));
        assertThat(lists.stream().map(list -> hex(writer -> writer.list(list, TEXT))))
                .doesNotHaveDuplicates();
    }

    /**
     * A value that an argument can be.
     *
     * @param structure another one for every other value
     * @param writing what writes it
     */
    private record Value(String structure, Consumer<FingerprintWriter> writing) {
        @Override
        public String toString() {
            return structure;
        }
    }

    private static List<Value> leaves() {
        List<Consumer<FingerprintWriter>> leaves = new ArrayList<>();
        for (String text : List.of("", "S", "S\u0001", "Z", "[]", "{}", "N\u0001a", "t", "\0", "\u00d3")) {
            leaves.add(writer -> writer.text(text));
            leaves.add(writer -> writer.bytes(text.getBytes(StandardCharsets.UTF_8)));
            leaves.add(writer -> {
                writer.subtype(text);
                writer.nil();
            });
            leaves.add(writer -> writer.typed(text, text));
            leaves.add(writer -> writer.typed("n" + text.length(), text.hashCode()));
        }
        for (long number : new long[] {0, 1, -1, 63, 64, 83, 90, 127, 128, 255}) {
            leaves.add(writer -> writer.integer(number));
            leaves.add(writer -> writer.integer(BigInteger.valueOf(number)));
            leaves.add(writer -> writer.decimal(BigDecimal.valueOf(number, 1)));
            leaves.add(writer -> writer.real((double) number));
            leaves.add(writer -> writer.real((float) number));
            leaves.add(writer -> writer.character((char) number));
        }
        leaves.add(FingerprintWriter::nil);
        leaves.add(writer -> writer.bool(true));
        leaves.add(writer -> writer.bool(false));
        leaves.add(writer -> writer.constant(Colour.RED));
        return IntStream.range(0, leaves.size())
                .mapToObj(index -> new Value(index + ";", leaves.get(index)))
                .toList();
    }

    private static final FingerprintWriter.ElementWriter<Value> ANY = (value, writer) ->
            Optional.ofNullable(value).orElseThrow().writing().accept(writer);

    /** Everything that holds one or two of these. */
    private static List<Value> holding(List<Value> parts) {
        List<Value> holders = new ArrayList<>();
        for (Value one : parts) {
            holders.add(new Value("[" + one + "]", writer -> writer.list(List.of(one), ANY)));
            holders.add(new Value("<" + one + ">", writer -> writer.set(List.of(one), ANY)));
            for (String name : List.of("a", "\0", "N", "a\u0001")) {
                holders.add(new Value("{" + name.hashCode() + ":" + one + "}", writer -> {
                    writer.begin();
                    writer.name(name);
                    one.writing().accept(writer);
                    writer.end();
                }));
            }
            for (Value other : parts) {
                holders.add(new Value("[" + one + other + "]", writer -> writer.list(List.of(one, other), ANY)));
                holders.add(new Value("(" + one + other + ")", writer -> writer.map(Map.of(one, other), ANY, ANY)));
            }
        }
        return holders;
    }

    @Test
    void differentValuesAreNeverWrittenAlike() {
        List<Value> leaves = leaves();
        List<Value> all = new ArrayList<>(leaves);
        List<Value> holders = holding(leaves);
        all.addAll(holders);
        all.addAll(holding(Stream.of(holders.subList(0, 40), holders.subList(4000, 4040), leaves.subList(0, 5))
                .flatMap(List::stream)
                .toList()));
        Map<String, Value> distinct = new LinkedHashMap<>();
        all.forEach(value -> distinct.put(value.structure(), value));
        assertThat(distinct).hasSizeGreaterThan(25_000);
        assertThat(distinct.values().stream().map(value -> hex(value.writing())))
                .doesNotHaveDuplicates();
    }
}
