package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Types within types, where the type variables come from, and values that contain themselves. */
class NestedFingerprintTest {

    static Stream<Arguments> values() {
        return Stream.of(
                all("Locale", () -> List.of(Locale.GERMANY, Locale.GERMAN, Locale.ROOT)),
                all("Currency", () -> List.of(Currency.getInstance("EUR"), Currency.getInstance("USD"))),
                all("TimeZone", () -> List.of(TimeZone.getTimeZone("UTC"), TimeZone.getTimeZone("Europe/Berlin"))),
                all("SortedMap<String, Integer>", () -> List.of(new TreeMap<>(Map.of("a", 1)), new TreeMap<>())),
                all("SortedSet<Long>", () -> List.of(new TreeSet<>(Set.of(1L, 2L)), new TreeSet<>(Set.of(1L)))),
                all(
                        "Deque<String>",
                        () -> List.of(new ArrayDeque<>(List.of("a", "b")), new ArrayDeque<>(List.of("b", "a")))),
                all(
                        "Map<Set<String>, List<Optional<int[]>>>",
                        () -> List.of(
                                Map.of(Set.of("a", "b"), List.of(Optional.of(new int[] {1}))),
                                Map.of(Set.of("a", "b"), List.of(Optional.of(new int[] {2}))),
                                Map.of(Set.of("a", "b"), List.of(Optional.empty())),
                                Map.of(Set.of("a"), List.of(Optional.of(new int[] {1}))))),
                all(
                        "Optional<Map<TimeUnit, byte[][]>>",
                        () -> List.of(
                                Optional.of(Map.of(java.util.concurrent.TimeUnit.DAYS, new byte[][] {{1}, {}})),
                                Optional.of(Map.of(java.util.concurrent.TimeUnit.DAYS, new byte[][] {{}, {1}})),
                                Optional.of(Map.of(java.util.concurrent.TimeUnit.HOURS, new byte[][] {{1}, {}})),
                                Optional.empty())),
                all(
                        "List<String[]>",
                        () -> List.of(
                                List.<String[]>of(new String[] {"a"}, new String[] {"b"}),
                                List.<String[]>of(new String[] {"a", "b"}),
                                List.of())),
                all(
                        "List<Optional<Optional<String>>>",
                        () -> List.of(
                                List.of(Optional.of(Optional.of("a"))),
                                List.of(Optional.of(Optional.empty())),
                                List.of(Optional.of(Optional.empty()), Optional.empty()))),
                all(
                        "Set<List<Set<String>>>",
                        () -> List.of(
                                Set.of(List.of(Set.of("a", "b"), Set.of()), List.of()),
                                Set.of(List.of(Set.of("a"), Set.of("b")), List.of()),
                                Set.of(List.of(Set.of("a", "b")), List.of()))));
    }

    @ParameterizedTest
    @MethodSource("values")
    void equalValuesAreWrittenAlikeAndOthersAreNot(String type, Supplier<List<Object>> values) {
        Compiled payments = Payments.load("@IdempotentOperation void pay(" + type + " it) {}");

        assertThat(values.get().stream().map(payments::fingerprint))
                .doesNotHaveDuplicates()
                .isEqualTo(values.get().stream().map(payments::fingerprint).toList());
    }

    @Test
    void whatIsNullInAMapIsAsIfItWereNotThereOnEveryLevel() {
        Compiled payments =
                Payments.load("@IdempotentOperation void pay(Map<String, Map<String, Optional<String>>> it) {}");
        Map<String, Object> inner = new HashMap<>(Map.of("a", Optional.of("b"), "empty", Optional.empty()));
        inner.put("nothing", null);
        Map<String, Object> outer = new HashMap<>(Map.of("k", inner));
        outer.put("nothing", null);

        assertThat(payments.fingerprint(outer))
                .isEqualTo(payments.fingerprint(Map.of("k", Map.of("a", Optional.of("b")))))
                .isNotEqualTo(payments.fingerprint(Map.of()));
    }

    private static Arguments all(String type, Supplier<List<Object>> values) {
        return Arguments.of(type, values);
    }

    @Test
    void typeVariablesOfInterfacesAndMethodsAreBound() {
        Compiled payments = Compilation.of(
                        """
                package demo;
                public interface Api<T> {
                    @io.idempotency.IdempotentOperation("pay") void pay(T order, java.util.List<? super T> more);
                }
                """,
                        Payments.with("""
                record Order(String id) {}
                @IdempotentOperation("refund") <T extends Order, L extends List<T>> void refund(T order, L more) {}
                @Override public void pay(Order order, List<? super Order> more) {}
                """).replace("class Payments", "class Payments implements Api<Payments.Order>"))
                .load();
        Object one = payments.create("demo.Payments$Order", "o-1");
        Object other = payments.create("demo.Payments$Order", "o-2");

        for (String name : List.of("pay", "refund")) {
            assertThat(Compiled.fingerprintOf(payments.definition(name), one, List.of()))
                    .isNotEqualTo(Compiled.fingerprintOf(payments.definition(name), other, List.of()));
        }
        assertThat(Compiled.fingerprintOf(payments.definition("refund"), one, List.of(one)))
                .isNotEqualTo(Compiled.fingerprintOf(payments.definition("refund"), one, List.of(other)));
    }

    @Test
    void whatContainsItselfIsWrittenToItsEndAndACycleIsAClearError() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Node node) {}
                record Node(String id, List<Node> nodes, Map<String, Node> named) {}
                """);
        Object leaf = payments.create("demo.Payments$Node", "leaf", List.of(), null);
        assertThat(payments.fingerprint(
                        payments.create("demo.Payments$Node", "root", List.of(leaf), Map.of("n", leaf))))
                .isNotEqualTo(payments.fingerprint(
                        payments.create("demo.Payments$Node", "root", List.of(leaf, leaf), Map.of())));

        List<Object> nodes = new ArrayList<>();
        Object circle = payments.create("demo.Payments$Node", "circle", nodes, new HashMap<>());
        nodes.add(circle);
        assertThatThrownBy(() -> payments.fingerprint(circle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("contain themselves")
                .hasMessageContaining("The body did not run");
    }
}
