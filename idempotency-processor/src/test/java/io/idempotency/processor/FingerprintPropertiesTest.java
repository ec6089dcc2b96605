package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * What must hold for the fingerprints of any values, and for any order and names of the properties that hold them. The
 * arguments are an order with one property of every kind, and within it a line with one of every kind.
 */
class FingerprintPropertiesTest {

    private static final int KINDS = Kind.ALL.size();
    private static final List<Integer> IN_ORDER =
            IntStream.range(0, KINDS).boxed().toList();
    private static final Map<String, Compiled> COMPILED = new HashMap<>();

    @AfterAll
    static void forgetWhatWasCompiled() {
        COMPILED.clear();
    }

    /** The values of an order's properties, and of its line's. */
    record Values(List<Object> order, List<Object> line) {

        Values with(int leaf, Object value) {
            return leaf < KINDS
                    ? new Values(replaced(order, leaf, value), line)
                    : new Values(order, replaced(line, leaf - KINDS, value));
        }

        Object get(int leaf) {
            return leaf < KINDS ? order.get(leaf) : line.get(leaf - KINDS);
        }

        private static List<Object> replaced(List<Object> values, int at, Object value) {
            List<Object> replaced = new ArrayList<>(values);
            replaced.set(at, value);
            return replaced;
        }
    }

    private static Values values(Random random) {
        return new Values(anyOfAll(random), anyOfAll(random));
    }

    private static List<Object> anyOfAll(Random random) {
        return Kind.ALL.stream().map(kind -> kind.any(random)).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Tries a property with other values each run; a failure says how to get the same ones again. */
    private static void tried(int times, Consumer<Random> property) {
        long first = Long.getLong("fingerprint.seed", System.nanoTime());
        for (long seed = first; seed < first + times; seed++) {
            try {
                property.accept(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("with -Dfingerprint.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void equalValuesHaveEqualFingerprintsWhateverTheirRepresentation() {
        tried(300, random -> {
            Values values = values(random);
            Values copies = new Values(copies(values.order()), copies(values.line()));
            assertThat(fingerprint(IN_ORDER, "", values)).isEqualTo(fingerprint(IN_ORDER, "", copies));
        });
    }

    @Test
    void anyOneChangedLeafChangesTheFingerprint() {
        tried(600, random -> {
            Values values = values(random);
            Values others = values(random);
            int leaf = random.nextInt(2 * KINDS);
            if (!Objects.deepEquals(values.get(leaf), others.get(leaf))) {
                assertThat(fingerprint(IN_ORDER, "", values.with(leaf, others.get(leaf))))
                        .as("leaf %s", leaf)
                        .isNotEqualTo(fingerprint(IN_ORDER, "", values));
            }
        });
    }

    @Test
    void anotherOrderOfThePropertiesKeepsTheFingerprint() {
        tried(10, random -> {
            Values values = values(random);
            List<Integer> shuffled = new ArrayList<>(IN_ORDER);
            Collections.shuffle(shuffled, random);
            assertThat(fingerprint(shuffled, "", values)).isEqualTo(fingerprint(IN_ORDER, "", values));
        });
    }

    @Test
    void aPropertyMoreThatIsNullKeepsTheFingerprint() {
        tried(50, random -> {
            Values values = values(random);
            assertThat(fingerprint(IN_ORDER, "String added", values)).isEqualTo(fingerprint(IN_ORDER, "", values));
        });
    }

    @Test
    void anotherNameOfAPropertyThatIsNotNullChangesTheFingerprint() {
        tried(10, random -> {
            Values values = values(random);
            int renamed = random.nextInt(KINDS);
            if (values.line().get(renamed) != null) {
                Compiled payments = compiled(members(IN_ORDER, "").replaceAll(" p" + renamed + "\\b", " renamed"));
                assertThat(fingerprint(payments, IN_ORDER, false, values))
                        .isNotEqualTo(fingerprint(IN_ORDER, "", values));
            }
        });
    }

    private static List<Object> copies(List<Object> values) {
        return values.stream().map(Kind::copy).collect(Collectors.toCollection(ArrayList::new));
    }

    private static String fingerprint(List<Integer> order, String added, Values values) {
        return fingerprint(compiled(members(order, added)), order, !added.isEmpty(), values);
    }

    private static String fingerprint(Compiled payments, List<Integer> order, boolean added, Values values) {
        Object line = payments.create("demo.Payments$Line", arranged(values.line(), order, added));
        List<Object> all = new ArrayList<>(List.of(line));
        Collections.addAll(all, arranged(values.order(), order, added));
        return payments.fingerprint(payments.create("demo.Payments$Order", all.toArray()));
    }

    private static Object[] arranged(List<Object> values, List<Integer> order, boolean added) {
        List<Object> arranged = new ArrayList<>();
        order.forEach(index -> arranged.add(values.get(index)));
        if (added) {
            arranged.add(null);
        }
        return arranged.toArray();
    }

    private static Compiled compiled(String members) {
        return COMPILED.computeIfAbsent(members, Payments::load);
    }

    private static String members(List<Integer> order, String added) {
        String properties = order.stream()
                        .map(index -> Kind.ALL.get(index).type() + " p" + index)
                        .collect(Collectors.joining(", "))
                + (added.isEmpty() ? "" : ", " + added);
        return "@IdempotentOperation void pay(Order order) {}\nrecord Order(Line line, " + properties + ") {}\n"
                + "record Line(" + properties + ") {}";
    }
}
