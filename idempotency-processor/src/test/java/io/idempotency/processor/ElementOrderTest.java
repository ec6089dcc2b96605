package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether the order of elements counts is what the value says at run time, where the declared type does not. */
class ElementOrderTest {

    private static final List<String> ONE = List.of("a", "b", "c");
    private static final List<String> OTHER = List.of("c", "b", "a");

    private static Map<String, String> map(List<String> order) {
        Map<String, String> map = new LinkedHashMap<>();
        order.forEach(each -> map.put(each, each));
        return map;
    }

    private static void assertAlike(Compiled payments, Function<List<String>, ?> made) {
        assertThat(payments.fingerprint(made.apply(ONE))).isEqualTo(payments.fingerprint(made.apply(OTHER)));
        assertThat(payments.fingerprint(made.apply(ONE))).isNotEqualTo(payments.fingerprint(made.apply(List.of("a"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Collection<String>", "Iterable<String>", "Collection<? extends CharSequence>"})
    void whatHasNoOrderOfItsOwnIsWrittenWithoutOne(String type) {
        Compiled payments = Payments.load("@IdempotentOperation void pay(" + type + " it) {}");

        assertAlike(payments, LinkedHashSet::new);
        assertAlike(payments, order -> map(order).keySet());
        assertAlike(payments, order -> map(order).values());
        assertAlike(payments, PriorityQueue::new);
        assertThat(payments.fingerprint(new TreeSet<>(ONE)))
                .isEqualTo(payments.fingerprint(new LinkedHashSet<>(OTHER)));
        assertThat(payments.fingerprint(map(ONE).values()))
                .isNotEqualTo(payments.fingerprint(map(List.of("a", "b")).values()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Collection<String>", "Iterable<String>"})
    void aListAndAQueueKeepTheirOrder(String type) {
        Compiled payments = Payments.load("@IdempotentOperation void pay(" + type + " it) {}");

        assertThat(payments.fingerprint(ONE)).isNotEqualTo(payments.fingerprint(OTHER));
        assertThat(payments.fingerprint(new ArrayDeque<>(ONE)))
                .isEqualTo(payments.fingerprint(ONE))
                .isNotEqualTo(payments.fingerprint(new ArrayDeque<>(OTHER)));
        assertThat(payments.fingerprint(new ArrayBlockingQueue<>(3, false, ONE)))
                .isNotEqualTo(payments.fingerprint(new ArrayBlockingQueue<>(3, false, OTHER)));
    }

    @Test
    void thatHoldsForPropertiesAndWithinOtherContainers() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Order order) {}
                record Order(Collection<String> tags, Map<Collection<String>, List<Iterable<Long>>> nested) {}
                """);
        Collection<String> tags = new LinkedHashSet<>(ONE);
        Collection<String> same = new LinkedHashSet<>(OTHER);
        Collection<Long> numbers = new LinkedHashSet<>(List.of(1L, 2L));
        Collection<Long> reversed = new LinkedHashSet<>(List.of(2L, 1L));

        assertThat(payments.fingerprint(payments.create("demo.Payments$Order", tags, Map.of(tags, List.of(numbers)))))
                .isEqualTo(payments.fingerprint(
                        payments.create("demo.Payments$Order", same, Map.of(same, List.of(reversed)))));
    }

    @Test
    void aPriorityQueueThatIsDeclaredHasNoOrderEither() {
        assertAlike(Payments.load("@IdempotentOperation void pay(PriorityQueue<String> it) {}"), PriorityQueue::new);
    }

    @Test
    void whatCanOnlyBeIteratedOverIsRefused() {
        Compiled payments = Payments.load("@IdempotentOperation void pay(Iterable<String> it) {}");
        Iterable<String> once = ONE.stream()::iterator;

        assertThatThrownBy(() -> payments.fingerprint(once))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no collection")
                .hasMessageContaining("The body did not run")
                .hasMessageContaining("Pass a List");
        assertThat(once).containsExactlyElementsOf(ONE);
    }
}
