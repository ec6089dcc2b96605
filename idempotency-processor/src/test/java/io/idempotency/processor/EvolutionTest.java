package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to the fingerprint of a call when its request type changes; the table in docs/compile-time.md. */
@Tag("thorough")
class EvolutionTest {

    private static final String OPERATION = "@IdempotentOperation void pay(Order order) {}\n";

    private static String written(String record, Object... values) {
        Compiled payments = Payments.load(OPERATION + record);
        return payments.fingerprint(payments.create("demo.Payments$Order", values));
    }

    private static final String FIRST = written("record Order(String id, String note) {}", "o-1", "n");

    @ParameterizedTest
    @ValueSource(strings = {"String comment", "Integer count", "List<String> lines", "Optional<String> comment"})
    void aNewPropertyThatIsNullChangesNothing(String added) {
        Object absent = added.startsWith("Optional") ? java.util.Optional.empty() : null;
        assertThat(written("record Order(" + added + ", String id, String note) {}", absent, "o-1", "n"))
                .isEqualTo(FIRST);
    }

    @Test
    void aNewPropertyThatIsNotNullIsAnotherRequestEvenWithADefaultValue() {
        assertThat(written("record Order(String id, String note, boolean gift) {}", "o-1", "n", false))
                .isNotEqualTo(FIRST);
        assertThat(written("record Order(String id, String note, String currency) {}", "o-1", "n", "EUR"))
                .isNotEqualTo(FIRST);
        assertThat(written("record Order(String id, String note, String comment) {}", "o-1", "n", ""))
                .isNotEqualTo(FIRST);
    }

    private static Stream<Arguments> defaults() {
        return Stream.of(
                Arguments.of("\"EUR\"", "String currency", "EUR", "CHF"),
                Arguments.of("\"\"", "CharSequence comment", new StringBuilder(), " "),
                Arguments.of("\"100% \\\"\"", "String share", "100% \"", "100%"),
                Arguments.of("\"false\"", "boolean gift", false, true),
                Arguments.of("\"true\"", "Boolean mail", true, false),
                Arguments.of("\"1\"", "int pieces", 1, 0),
                Arguments.of("\"-1\"", "Long limit", -1L, 1L),
                Arguments.of("\"-128\"", "byte level", (byte) -128, (byte) 127),
                Arguments.of("\"'\"", "char quote", '\'', '"'),
                Arguments.of("\"0\"", "java.math.BigInteger points", BigInteger.ZERO, BigInteger.ONE),
                Arguments.of("\"1.5\"", "java.math.BigDecimal rate", new BigDecimal("1.50"), new BigDecimal("1.51")),
                Arguments.of("\"UP\"", "java.math.RoundingMode rounding", RoundingMode.UP, RoundingMode.DOWN),
                Arguments.of("\"\"", "List<String> lines", List.of(), List.of("")),
                Arguments.of("\"\"", "Map<String, String> labels", Map.of(), Map.of("a", "b")),
                Arguments.of("\"\"", "int[] counts", new int[0], new int[1]));
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void aNewPropertyThatHasItsDeclaredDefaultChangesNothing(String text, String added, Object value, Object other) {
        String record = "record Order(@FingerprintDefault(" + text + ") " + added + ", String id, String note) {}";
        assertThat(written(record, value, "o-1", "n")).isEqualTo(FIRST);
        assertThat(written(record, other, "o-1", "n"))
                .isNotEqualTo(FIRST)
                .isEqualTo(written("record Order(" + added + ", String id, String note) {}", other, "o-1", "n"));
        if (!added.matches("(int|boolean|byte|char) .*")) {
            assertThat(written(record, null, "o-1", "n")).isEqualTo(FIRST);
        }
    }

    @Test
    void aNewParameterThatHasItsDeclaredDefaultChangesNothing() {
        String former =
                Payments.load("@IdempotentOperation void pay(String id) {}").fingerprint("o");
        Compiled later = Payments.load("@IdempotentOperation void pay(@FingerprintDefault(\"EUR\") String currency,"
                + " @FingerprintDefault(\"false\") boolean gift, String id) {}");
        assertThat(later.fingerprint("EUR", false, "o")).isEqualTo(former);
        assertThat(later.fingerprint(null, false, "o")).isEqualTo(former);
        assertThat(later.fingerprint("EUR", true, "o")).isNotEqualTo(former);
    }

    @Test
    void propertiesOfBeansHaveDefaultsToo() {
        assertThat(written("""
                        static class Order {
                            private final String id;
                            public final String note;
                            @FingerprintDefault("3") public final int level;
                            Order(String id, String note, int level) { this.id = id; this.note = note; this.level = level; }
                            public String getId() { return id; }
                            @FingerprintDefault("EUR") public String getCurrency() { return "EUR"; }
                        }
                        """, "o-1", "n", 3)).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"yes\") boolean",
                "\"1.5\") int",
                "\"128\") byte",
                "\"-129\") Byte",
                "\"9223372036854775808\") long",
                "\"ab\") char",
                "\"x\") java.math.BigDecimal",
                "\"SIDEWAYS\") java.math.RoundingMode",
                "\"a\") List<String>",
                "\"\") Optional<String>",
                "\"0\") double",
                "\"PT1S\") java.time.Duration",
            })
    void aDefaultThatIsNoValueOfTheTypeIsRefused(String added) {
        String words = "@FingerprintDefault(" + added.substring(0, added.indexOf(')')) + ") of 'added' is no value of ";
        assertThat(Payments.errors(
                        "@IdempotentOperation void pay(String id, @FingerprintDefault(" + added + " added) {}"))
                .singleElement()
                .asString()
                .contains(words);
        assertThat(Payments.errors(OPERATION + "record Order(String id, @FingerprintDefault(" + added + " added) {}"))
                .singleElement()
                .asString()
                .contains("'order'", words);
    }

    @Test
    void anEmptyListIsAnotherRequestThanNone() {
        String record = "record Order(String id, String note, List<String> lines) {}";
        assertThat(written(record, "o-1", "n", List.of()))
                .isNotEqualTo(FIRST)
                .isNotEqualTo(written(record, "o-1", "n", List.of("")));
    }

    @Test
    void aRemovedPropertyIsAnotherRequestUnlessItWasNull() {
        assertThat(written("record Order(String id) {}", "o-1"))
                .isNotEqualTo(FIRST)
                .isEqualTo(written("record Order(String id, String note) {}", "o-1", null));
    }

    @Test
    void propertiesInAnotherOrderAreTheSameRequest() {
        assertThat(written("record Order(String note, String id) {}", "n", "o-1"))
                .isEqualTo(FIRST);
    }

    @Test
    void aRenamedPropertyIsAnotherRequestUnlessItKeepsItsNameInTheFingerprint() {
        assertThat(written("record Order(String id, String comment) {}", "o-1", "n"))
                .isNotEqualTo(FIRST);
        assertThat(written("record Order(String id, @FingerprintName(\"note\") String comment) {}", "o-1", "n"))
                .isEqualTo(FIRST);
        // sorted by the former name, not by the new one
        assertThat(written("record Order(String id, @FingerprintName(\"note\") String aComment) {}", "o-1", "n"))
                .isEqualTo(FIRST);
        assertThat(written("""
                        static class Order {
                            private final String id;
                            private final String comment;
                            Order(String id, String comment) { this.id = id; this.comment = comment; }
                            public String getId() { return id; }
                            @FingerprintName("note") public String getComment() { return comment; }
                        }
                        """, "o-1", "n")).isEqualTo(FIRST);
        assertThat(written("""
                        static class Order {
                            public final String id;
                            @FingerprintName("note") public final String comment;
                            Order(String id, String comment) { this.id = id; this.comment = comment; }
                        }
                        """, "o-1", "n")).isEqualTo(FIRST);
    }

    @Test
    void aRenamedTypeIsTheSameRequest() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Purchase order) {}
                record Purchase(String id, String note) {}
                """);
        assertThat(payments.fingerprint(payments.create("demo.Payments$Purchase", "o-1", "n")))
                .isEqualTo(FIRST);
    }

    @Test
    void aRenamedParameterIsAnotherRequestUnlessItKeepsItsNameInTheFingerprint() {
        String former = Payments.load("@IdempotentOperation void pay(String id, int amount) {}")
                .fingerprint("o", 1);
        assertThat(Payments.load("@IdempotentOperation void pay(String id, int cents) {}")
                        .fingerprint("o", 1))
                .isNotEqualTo(former);
        assertThat(Payments.load("@IdempotentOperation void pay(String id, @FingerprintName(\"amount\") int cents) {}")
                        .fingerprint("o", 1))
                .isEqualTo(former);
        assertThat(Payments.load("@IdempotentOperation void pay(String id, @FingerprintName(\"amount\") int zCents) {}")
                        .fingerprint("o", 1))
                .isEqualTo(former);
    }

    @Test
    void aWiderTypeOfNumberIsTheSameRequest() {
        String former =
                Payments.load("@IdempotentOperation void pay(int amount) {}").fingerprint(1);
        assertThat(Payments.load("@IdempotentOperation void pay(long amount) {}")
                        .fingerprint(1L))
                .isEqualTo(former);
        assertThat(Payments.load("@IdempotentOperation void pay(java.math.BigDecimal amount) {}")
                        .fingerprint(java.math.BigDecimal.ONE))
                .isNotEqualTo(former);
    }

    @Test
    void aCollectionOfAListsElementsIsTheSameRequest() {
        assertThat(Payments.load("@IdempotentOperation void pay(Collection<String> ids) {}")
                        .fingerprint(List.of("b", "a")))
                .isEqualTo(Payments.load("@IdempotentOperation void pay(List<String> ids) {}")
                        .fingerprint(List.of("b", "a")));
    }

    @Test
    void aRenamedSubtypeIsAnotherRequestUnlessJsonNamesIt() {
        String named = "@com.fasterxml.jackson.annotation.JsonSubTypes("
                + "@com.fasterxml.jackson.annotation.JsonSubTypes.Type(value = %s.class, name = \"card\"))\n";
        assertThat(means("", "Card")).isNotEqualTo(means("", "CreditCard"));
        assertThat(means(named.formatted("Card"), "Card"))
                .isEqualTo(means(named.formatted("CreditCard"), "CreditCard"));
    }

    private static String means(String annotation, String subtype) {
        Compiled payments = Payments.load("@IdempotentOperation void pay(Means means) {}\n" + annotation
                + "sealed interface Means permits " + subtype + " {}\nrecord " + subtype
                + "(String number) implements Means {}");
        return payments.fingerprint(payments.create("demo.Payments$" + subtype, "4711"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@IdempotentOperation void pay(String id, @FingerprintName(\"id\") String other) {}",
                OPERATION + "record Order(String id, @FingerprintName(\"id\") String other) {}"
            })
    void twoOfOneNameAreRefused(String members) {
        Compilation result = Payments.compile(members);
        assertThat(result.errors()).singleElement().asString().contains("'id' and 'other' are both written as 'id'");
    }

    @Test
    void whatIsNoNameIsRefused() {
        Compilation result =
                Payments.compile("@IdempotentOperation void pay(@FingerprintName(\"unit price\") int price) {}");
        assertThat(result.errors())
                .singleElement()
                .asString()
                .contains("@FingerprintName(\"unit price\") of 'price' is no name of a parameter or property");
    }
}
