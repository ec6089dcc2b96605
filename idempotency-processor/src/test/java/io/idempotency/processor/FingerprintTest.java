package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import io.idempotency.processor.compile.Written;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {

    @Test
    void parametersAreWrittenByNameInTheOrderOfTheirNames() {
        Compiled payments =
                Payments.load("@IdempotentOperation void pay(String b, int a, @NotFingerprinted long trace) {}");

        assertThat(payments.fingerprint("x", 1, 2L)).isEqualTo(Written.by(writer -> {
            writer.name("a");
            writer.integer(1);
            writer.name("b");
            writer.text("x");
        }));
    }

    @Test
    void nullAndAbsentPropertiesAreLeftOutByName() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Order order, String note) {}
                record Order(String id, Optional<String> comment, OptionalInt count, BigDecimal amount) {}
                """);
        Object order = payments.create("demo.Payments$Order", "o", Optional.empty(), OptionalInt.empty(), null);

        assertThat(payments.fingerprint(order, null)).isEqualTo(Written.by(writer -> {
            writer.name("order");
            writer.begin();
            writer.name("id");
            writer.text("o");
            writer.end();
        }));
    }

    /** For Micronaut both are getters of one property, of which the last one counts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "public BigDecimal getPaid() { return paid; } public boolean isPaid() { return paid != null; }",
                "public boolean isPaid() { return paid != null; } public BigDecimal getPaid() { return paid; }",
                "public boolean isPaid() { return paid != null; } public Optional<BigDecimal> getPaid() { return Optional.of(paid); }"
            })
    void aGetterIsNotHiddenByAQuestionOfItsName(String getters) {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Invoice invoice) {}
                static class Invoice {
                    private final BigDecimal paid;
                    Invoice(BigDecimal paid) { this.paid = paid; }
                    %s
                }
                """.formatted(getters));
        Object ten = payments.create("demo.Payments$Invoice", BigDecimal.TEN);
        Object thousand = payments.create("demo.Payments$Invoice", new BigDecimal(1000));

        assertThat(payments.fingerprint(ten)).isNotEqualTo(payments.fingerprint(thousand));
    }

    @Test
    void propertiesAndTypesThatAreNotFingerprintedMakeNoDifference() {
        Compiled payments = Payments.load("""
                @IdempotentOperation(otherCallers = OtherCallers.ISOLATE) void pay(Order order, Trace trace, java.security.Principal user) {}
                record Order(String id, @NotFingerprinted String sentAt, Trace trace, Bean bean) {}
                @NotFingerprinted record Trace(String id) {}
                static class Bean {
                    @NotFingerprinted private String hidden = "x";
                    @NotFingerprinted public String getToken() { return hidden; }
                    public String getName() { return "n"; }
                }
                """);
        Object trace = payments.create("demo.Payments$Trace", "t");
        Object bean = payments.create("demo.Payments$Bean");

        assertThat(payments.fingerprint(payments.create("demo.Payments$Order", "o", "now", trace, bean), trace, null))
                .isEqualTo(payments.fingerprint(
                        payments.create("demo.Payments$Order", "o", "later", null, bean), null, null));
    }

    @Test
    void aTypeThatIsNotFingerprintedMakesNoDifferenceWhereSomethingHoldsIt() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(
                        String id, List<Trace> all, Optional<Trace> one, Trace[] each, Set<List<Trace>> sets, Held held,
                        Iterable<Trace> any, Traces own, Sequence<Optional<Trace>> ofALibrary) {}
                record Held(Optional<Trace> one, List<? extends Trace> all, Trace[][] each, Iterable<Traces[]> own) {}
                @NotFingerprinted record Trace(String id) {}
                @SuppressWarnings("serial") static class Traces extends ArrayList<Trace> {}
                static class Sequence<E> extends AbstractList<E> {
                    @Override public E get(int index) { return null; }
                    @Override public int size() { return 1; }
                }
                """);
        Object trace = payments.create("demo.Payments$Trace", "t");
        Object array = Array.newInstance(trace.getClass(), 1);
        Object arrays = Array.newInstance(trace.getClass(), 1, 0);
        Object traces = payments.create("demo.Payments$Traces");
        Object own = List.of(Array.newInstance(traces.getClass(), 1));
        Object held = payments.create("demo.Payments$Held", Optional.of(trace), List.of(trace), arrays, own);
        Object empty = payments.create("demo.Payments$Held", Optional.empty(), List.of(), null, null);
        Object sequence = payments.create("demo.Payments$Sequence");

        assertThat(payments.fingerprint(
                        "o",
                        List.of(trace),
                        Optional.of(trace),
                        array,
                        Set.of(List.of(trace)),
                        held,
                        List.of(trace),
                        traces,
                        sequence))
                .isEqualTo(payments.fingerprint(
                        "o", List.of(), Optional.empty(), null, Set.of(), empty, List.of(), null, null))
                .isEqualTo(Written.by(writer -> {
                    writer.name("held");
                    writer.begin();
                    writer.end();
                    writer.name("id");
                    writer.text("o");
                }));
    }

    @Test
    void aMapToWhatIsNotFingerprintedCountsByItsKeys() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Map<String, Trace> map, Map<String, List<Trace>> lists) {}
                @NotFingerprinted record Trace(String id) {}
                """);
        Object trace = payments.create("demo.Payments$Trace", "t");
        Object other = payments.create("demo.Payments$Trace", "u");

        assertThat(payments.fingerprint(Map.of("a", trace), Map.of("b", List.of())))
                .isEqualTo(payments.fingerprint(Map.of("a", other), Map.of("b", List.of(trace))))
                .isNotEqualTo(payments.fingerprint(Map.of("b", trace), Map.of("b", List.of())))
                .isEqualTo(Written.by(writer -> {
                    writer.name("lists");
                    writer.map(Map.of("b", true), FingerprintTest::text, (value, to) -> to.bool(value));
                    writer.name("map");
                    writer.map(Map.of("a", true), FingerprintTest::text, (value, to) -> to.bool(value));
                }));
    }

    /** Whichever the generated code comes to first. */
    @ParameterizedTest
    @CsvSource({"a, b", "b, a"})
    void whatIsLeftOutAsTheValueOfAMapCountsAsTheKeyOfAnother(String values, String keys) {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Map<String, Source> %s, Map<Source, String> %s) {}
                @NotFingerprinted enum Source { WEB, APP }
                """.formatted(values, keys));
        Object web = payments.constant("demo.Payments$Source", "WEB");
        Object app = payments.constant("demo.Payments$Source", "APP");

        assertThat(payments.fingerprint(Map.of("x", web), Map.of(web, "x")))
                .isEqualTo(payments.fingerprint(Map.of("x", app), Map.of(web, "x")))
                .isNotEqualTo(payments.fingerprint(Map.of("x", web), Map.of(app, "x")));
    }

    @Test
    void whatAMapLeavesOutNeedNotBeSeenByGeneratedCode() {
        Compiled payments = Compilation.of(
                        Payments.with("@IdempotentOperation void pay(orders.Order order) {}"),
                        """
                        package orders;
                        import java.util.*;
                        public record Order(Map<String, Trace> traces, Map<LeftOut, Trace[]> arrays) {}
                        """,
                        "package orders;\npublic record LeftOut(String id) {}",
                        "package orders;\n@io.idempotency.NotFingerprinted record Trace(String id) {}")
                .load();
        Object trace = payments.create("orders.Trace", "t");
        Object other = payments.create("orders.Trace", "u");
        Map<?, ?> arrays = Map.of(payments.create("orders.LeftOut", "i"), Array.newInstance(trace.getClass(), 1));

        assertThat(payments.fingerprint(payments.create("orders.Order", Map.of("a", trace), arrays)))
                .isEqualTo(payments.fingerprint(payments.create("orders.Order", Map.of("a", other), arrays)))
                .isNotEqualTo(payments.fingerprint(payments.create("orders.Order", Map.of("b", trace), arrays)))
                .isNotEqualTo(payments.fingerprint(payments.create("orders.Order", Map.of("a", trace), Map.of())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "static class Bean extends Base { @NotFingerprinted private boolean isRetry; public boolean isRetry() { return isRetry; } }",
                "static class Bean extends Base { @NotFingerprinted private String trace; public Optional<String> getTrace() { return null; } }",
                "static class Bean extends Base { @NotFingerprinted private Instant sentAt; public String getSentAt() { return null; } }",
                "static class Bean extends Base { @NotFingerprinted private transient String trace; public String getTrace() { return trace; } }",
                "static class Bean extends Base { @NotFingerprinted private String _trace; public String getTrace() { return _trace; } }",
                "static class Bean extends Base { private boolean isRetry; Bean(@NotFingerprinted boolean isRetry) {} public boolean isRetry() { return isRetry; } }",
                "interface Traced { @NotFingerprinted String trace(); } record Bean(String id, String trace) implements Traced {}",
                "static class Traced extends Base { @NotFingerprinted public String getTrace() { return null; } }"
                        + " static class Bean extends Traced { private String trace; @Override public String getTrace() { return trace; } }",
            })
    void aMarkCountsOnWhateverBelongsToTheProperty(String bean) {
        assertThat(written(bean)).containsExactly("id");
    }

    /** As the stubs that kapt makes of {@code val total by lazy}. */
    @Test
    void aPropertyShowsTheDelegateThatCalculatesIt() {
        assertThat(written("""
                static class Bean extends Base {
                    private Object total$delegate;
                    private Object isFree$delegate;
                    public long getTotal() { return 0; }
                    public boolean isFree() { return true; }
                }
                """)).containsExactlyInAnyOrder("id", "total", "free");
    }

    @Test
    void gettersAreReadWhereFieldsAreIntrospected() {
        String introspected = "@io.micronaut.core.annotation.Introspected(accessKind ="
                + " io.micronaut.core.annotation.Introspected.AccessKind.FIELD) ";
        assertThat(written(introspected + """
                static class Bean {
                    private String name;
                    private boolean done;
                    public String getName() { return name; }
                    public boolean isDone() { return done; }
                    public String getLabel() { return name; }
                }
                """)).containsExactlyInAnyOrder("name", "done");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@FingerprintName(\"old\") private boolean isUrgent; public boolean isUrgent() { return isUrgent; } | id, old",
                "@FingerprintName(\"old\") private BigDecimal paid; public BigDecimal getPaid() { return paid; }"
                        + " public boolean isPaid() { return paid != null; } | id, old",
                "private final boolean isUrgent; Bean(@FingerprintName(\"old\") boolean isUrgent) { this.isUrgent = isUrgent; }"
                        + " public boolean isUrgent() { return isUrgent; } | id, old",
                // another class's private field of the same name, and another property's question
                "private String note; public String getNote() { return note; } | id, note",
                "private BigDecimal paid; @NotFingerprinted private boolean isPaid; public BigDecimal getPaid() { return paid; }"
                        + " public boolean isPaid() { return isPaid; } | id, paid",
            })
    void aMarkCountsForThatPropertyOnly(String members, String names) {
        assertThat(written("static class Marked extends Base { @NotFingerprinted private String note; }"
                        + "static class Bean extends Marked { " + members + " }"))
                .containsExactly(names.split(", "));
    }

    /** The names of the bean's properties in the fingerprint. */
    private static List<String> written(String bean) {
        String base = "static class Base { String id; public String getId() { return id; } }";
        return names("Bean argument", base + bean);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "public String getLabel() throws java.io.IOException { return null; }", // tells what id tells
                "private String name; public String getName() throws IllegalStateException, Error { return name; }",
            })
    void whatIsGeneratedCompilesBesideAGetterThatThrows(String members) {
        assertThat(Payments.load("@IdempotentOperation void pay(Bean bean) {} static class Bean { String id; public"
                                + " String getId() { return id; } " + members + " }")
                        .definitions())
                .hasSize(1);
    }

    /** A caller is no data, and an application's user, who may be one, is where something holds him. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Transfer argument | to, name",
                "io.micronaut.http.HttpRequest<User> argument | name",
                "@io.micronaut.http.annotation.Body User argument | name",
                "Held argument | id",
                "User caller, String id | id",
            })
    void aTypeThatIsAlsoAPrincipalIsLeftOutWhereItIsTheCaller(String parameters, String names) {
        String types = """
                record Transfer(User to) {}
                record User(String name) implements java.security.Principal {
                    @Override public String getName() { return name; }
                }
                record Held(java.security.Principal by, String id) {}
                """;
        assertThat(names(parameters, types)).containsExactly(names.split(", "));
    }

    private static List<String> names(String parameters, String types) {
        Compilation compilation = Payments.compile("@IdempotentOperation void pay(" + parameters + ") {}" + types);
        assertThat(compilation.errors()).isEmpty();
        return Pattern.compile("writer[.]name[(]NAME_(?!argument)(\\w+)")
                .matcher(String.join("", compilation.generated().values()))
                .results()
                .map(name -> name.group(1))
                .toList();
    }

    @Test
    void aPropertyMayBeLeftOutOnTheConstructorsParameter() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Order order) {}
                static class Order {
                    private final String id;
                    private final String sentAt;
                    public Order(String id, @NotFingerprinted String sentAt) { this.id = id; this.sentAt = sentAt; }
                    public String getId() { return id; }
                    public String getSentAt() { return sentAt; }
                }
                """);

        assertThat(payments.fingerprint(payments.create("demo.Payments$Order", "o", "now")))
                .isEqualTo(payments.fingerprint(payments.create("demo.Payments$Order", "o", "later")))
                .isNotEqualTo(payments.fingerprint(payments.create("demo.Payments$Order", "p", "now")));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                value("String", "x", writer -> writer.text("x")),
                value("CharSequence", new StringBuilder("x"), writer -> writer.text("x")),
                value("boolean", true, writer -> writer.bool(true)),
                value("Boolean", true, writer -> writer.bool(true)),
                value("byte", (byte) 1, writer -> writer.integer(1)),
                value("Short", (short) 1, writer -> writer.integer(1)),
                value("Integer", 1, writer -> writer.integer(1)),
                value("long", 1L, writer -> writer.integer(1)),
                value("char", 'c', writer -> writer.character('c')),
                value("Character", 'c', writer -> writer.character('c')),
                value("float", 1.5f, writer -> writer.real(1.5f)),
                value("Float", 1.5f, writer -> writer.real(1.5f)),
                value("Double", 1.5, writer -> writer.real(1.5)),
                value("BigDecimal", new BigDecimal("1.50"), writer -> writer.decimal(new BigDecimal("1.5"))),
                value(
                        "TimeUnit",
                        java.util.concurrent.TimeUnit.DAYS,
                        writer -> writer.constant(java.util.concurrent.TimeUnit.DAYS)),
                value("byte[]", new byte[] {1}, writer -> writer.bytes(new byte[] {1})),
                value("LocalDate", java.time.LocalDate.EPOCH, writer -> writer.typed("date", 0)),
                value("java.net.URI", java.net.URI.create("a:b"), writer -> writer.typed("uri", "a:b")),
                value("int[]", new int[] {1, 2}, writer -> integers(writer, List.of(1L, 2L))),
                value("Integer[]", new Integer[] {1, 2}, writer -> integers(writer, List.of(1L, 2L))),
                value("List<Integer>", List.of(1, 2), writer -> integers(writer, List.of(1L, 2L))),
                value("Iterable<? extends Long>", List.of(1L, 2L), writer -> integers(writer, List.of(1L, 2L))),
                value("Optional<List<Integer>>", Optional.of(List.of(1)), writer -> integers(writer, List.of(1L))),
                value("OptionalInt", OptionalInt.of(1), writer -> writer.integer(1)),
                value(
                        "List<String>",
                        Arrays.asList("x", null),
                        writer -> writer.list(Arrays.asList("x", null), FingerprintTest::text)),
                value(
                        "List<Optional<String>>",
                        List.of(Optional.of("x"), Optional.empty()),
                        writer -> writer.list(Arrays.asList("x", null), FingerprintTest::text)),
                value("Set<String>", Set.of("x", "y"), writer -> writer.set(List.of("y", "x"), FingerprintTest::text)),
                value(
                        "Map<String, Integer>",
                        Map.of("x", 1),
                        writer -> writer.map(Map.of("x", 1L), FingerprintTest::text, (value, to) -> to.integer(value))),
                value(
                        "byte[][]",
                        new byte[][] {{1}},
                        writer -> writer.list(List.of(new byte[] {1}), (value, to) -> to.bytes(value))));
    }

    @ParameterizedTest
    @MethodSource("values")
    void everyTypeIsWrittenInItsOwnWay(String type, Object value, Consumer<FingerprintWriter> expected) {
        Compiled payments =
                Payments.load("@SuppressWarnings({\"idempotency:constantKey\", \"idempotency:floatingKey\"})"
                        + " @IdempotentOperation void pay(" + type + " it) {}");

        assertThat(payments.fingerprint(value)).isEqualTo(Written.by(writer -> {
            writer.name("it");
            expected.accept(writer);
        }));
    }

    @Test
    void theOrderOfSetsAndMapsMakesNoDifferenceAndThatOfListsDoes() {
        Compiled payments =
                Payments.load("@IdempotentOperation void pay(Map<String, Integer> map, List<String> list) {}");
        Map<String, Integer> one = new LinkedHashMap<>(Map.of("a", 1));
        one.put("b", 2);
        Map<String, Integer> other = new LinkedHashMap<>(Map.of("b", 2));
        other.put("a", 1);

        assertThat(payments.fingerprint(one, List.of())).isEqualTo(payments.fingerprint(other, List.of()));
        assertThat(payments.fingerprint(one, List.of("a", "b")))
                .isNotEqualTo(payments.fingerprint(one, List.of("b", "a")));
    }

    @Test
    void typeVariablesOfClassesAndSuperClassesAreBound() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Page<Line> page) {}
                record Line(String sku) {}
                record Page<T>(List<T> items, Page<T> next, Both<List<T>, String> both) {}
                static class Base<T> {
                    T value;
                    public T getValue() { return value; }
                }
                static class Both<A, T> extends Base<A> {
                    T other;
                    public T getOther() { return other; }
                }
                """);
        Object line = payments.create("demo.Payments$Line", "s-1");
        Object end = payments.create("demo.Payments$Page", List.of(line), null, payments.create("demo.Payments$Both"));
        Object page = payments.create("demo.Payments$Page", List.of(), end, null);

        assertThat(payments.fingerprint(page)).isEqualTo(Written.by(writer -> {
            writer.name("page");
            writer.begin();
            writer.name("items");
            writer.list(List.of(), FingerprintTest::text);
            writer.name("next");
            writer.begin();
            writer.name("both");
            writer.begin();
            writer.end();
            writer.name("items");
            writer.list(List.of("s-1"), (sku, to) -> {
                to.begin();
                to.name("sku");
                to.text(sku);
                to.end();
            });
            writer.end();
            writer.end();
        }));
    }

    private static Arguments value(String type, Object value, Consumer<FingerprintWriter> expected) {
        return Arguments.of(type, value, expected);
    }

    private static void integers(FingerprintWriter writer, List<Long> values) {
        writer.list(values, (value, to) -> to.integer(value));
    }

    private static void text(String value, FingerprintWriter writer) {
        if (value == null) {
            writer.nil();
        } else {
            writer.text(value);
        }
    }
}
