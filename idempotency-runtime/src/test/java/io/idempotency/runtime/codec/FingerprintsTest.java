package io.idempotency.runtime.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.idempotency.NotFingerprinted;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@MicronautTest
class FingerprintsTest {

    @Inject
    Fingerprints fingerprints;

    @Serdeable
    record Line(String article, int count, String note) {}

    @Serdeable
    record Basket(List<Line> lines, BigDecimal total, Object extra) {}

    record Unknown(String id) {}

    enum Colour {
        RED
    }

    private String of(Object arguments) {
        return fingerprints.ofJson("charge", arguments).text();
    }

    private static Map<String, Object> shuffled(Map<String, Object> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        List<String> keys = new ArrayList<>(new TreeMap<>(map).descendingKeySet());
        keys.forEach(key -> copy.put(key, map.get(key)));
        return copy;
    }

    @Test
    void theFormIsAVersionAndADigest() {
        assertThat(of("a")).matches("1:[0-9a-f]{64}").isEqualTo(of("a"));
        assertThat(of(null)).isNotEqualTo(of("")).isNotEqualTo(of("null"));
    }

    @Test
    void equalJsonIsAlikeWhateverItIsMadeOf() {
        Map<String, Object> line = Map.of("article", "a", "count", 2);
        assertThat(of(line))
                .isEqualTo(of(shuffled(line)))
                .isEqualTo(of(new Line("a", 2, null)))
                .isEqualTo(of(JsonNode.from(line)));
        assertThat(of(new Basket(List.of(new Line("a", 2, null)), new BigDecimal("1.50"), line)))
                .isEqualTo(of(Map.of("lines", List.of(line), "total", 1.5, "extra", new Line("a", 2, null))));
        assertThat(of(List.of(1, 2L))).isEqualTo(of(new Object[] {1, 2})).isEqualTo(of(new int[] {1, 2}));
        assertThat(of(Map.of(Colour.RED, Optional.of(Colour.RED)))).isEqualTo(of(Map.of("RED", "RED")));
    }

    @Test
    void everyLeafCounts() {
        List<Object> all = List.of(
                "1",
                1,
                1.5,
                true,
                "true",
                List.of(),
                List.of(List.of()),
                Arrays.asList((Object) null),
                Map.of(),
                Map.of("a", 1),
                Map.of("b", 1),
                Map.of("a", 2),
                Map.of("a", ""),
                Map.of("a", Map.of("a", 1)),
                List.of("a", "b"),
                List.of("b", "a"),
                Set.of("a", "b"),
                new Line("a", 1, null),
                new Line("a", 1, ""),
                new Line("a", 2, null));
        assertThat(all.stream().map(this::of)).doesNotHaveDuplicates();
    }

    @Test
    void aSetHasNoOrder() {
        List<String> members = List.of("a", "b", "c", "d");
        List<String> reversed = List.of("d", "c", "b", "a");
        assertThat(of(new LinkedHashSet<>(members)))
                .isEqualTo(of(new LinkedHashSet<>(reversed)))
                .isEqualTo(of(Set.copyOf(members)));
        assertThat(of(Map.of("in", List.of(new LinkedHashSet<>(members)))))
                .isEqualTo(of(Map.of("in", List.of(new LinkedHashSet<>(reversed)))));
    }

    @Test
    void neitherHaveTheViewsOfAMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        assertThat(of(map.keySet()))
                .isEqualTo(of(shuffled(map).keySet()))
                .isNotEqualTo(of(Map.of("a", 1).keySet()));
        assertThat(of(map.values())).isEqualTo(of(shuffled(map).values())).isNotEqualTo(of(List.of(1)));
        assertThat(of(map.entrySet()))
                .isEqualTo(of(shuffled(map).entrySet()))
                .isNotEqualTo(of(Map.of("a", 2, "b", 1).entrySet()));
    }

    @Serdeable
    record Tagged(
            String id,
            Collection<String> tags,
            @JsonProperty("in") List<Object> nested) {}

    @Test
    void keysOfAMapThatDifferInCaseOrSeparatorsOnlyAreDifferentKeys() {
        Map<String, Object> one = Map.of("a_b", List.of(1, 2), "ab", new LinkedHashSet<>(List.of(1, 2)));
        Map<String, Object> reversed = Map.of("a_b", List.of(2, 1), "ab", new LinkedHashSet<>(List.of(1, 2)));
        Map<String, Object> same = Map.of("a_b", List.of(1, 2), "ab", new LinkedHashSet<>(List.of(2, 1)));
        assertThat(of(one)).isNotEqualTo(of(reversed)).isEqualTo(of(same));
        Map<String, Object> other = Map.of("a_b", new LinkedHashSet<>(List.of(1, 2)), "ab", List.of(1, 2));
        Map<String, Object> otherReversed = Map.of("a_b", new LinkedHashSet<>(List.of(1, 2)), "ab", List.of(2, 1));
        assertThat(of(other)).isNotEqualTo(of(otherReversed));
        assertThat(of(new Basket(List.of(), BigDecimal.ONE, one)))
                .isNotEqualTo(of(new Basket(List.of(), BigDecimal.ONE, reversed)));
    }

    @Test
    void aSetWithinABeanHasNoOrderWhereverItIs() {
        Set<String> members = new LinkedHashSet<>(List.of("a", "b", "c"));
        Set<String> same = new LinkedHashSet<>(List.of("c", "b", "a"));
        Object one = new Tagged("t", members, List.of(new Tagged("u", null, List.of(members, Map.of("k", members)))));
        Object other = new Tagged("t", same, List.of(new Tagged("u", null, List.of(same, Map.of("k", same)))));
        assertThat(of(one)).isEqualTo(of(other));
        assertThat(of(Map.of("o", Optional.of(one)))).isEqualTo(of(Map.of("o", Optional.of(other))));
        assertThat(of(new Tagged("t", List.copyOf(members), null)))
                .isNotEqualTo(of(new Tagged("t", List.copyOf(same), null)));
        assertThat(of(one)).isNotEqualTo(of(new Tagged("t", Set.of("a", "b"), List.of())));
    }

    @Test
    void aBinaryNumberCountsByItsBitsWhichNoJavaVersionSpellsDifferently() {
        assertThat(of(2e23)).isEqualTo(of(new BigDecimal(2e23)));
        assertThat(of(new Basket(List.of(), BigDecimal.ONE, 2e23)))
                .isEqualTo(of(new Basket(List.of(), BigDecimal.ONE, new BigDecimal(2e23))));
        assertThat(of(Map.of(2e23, "a"))).isNotEqualTo(of(Map.of("2.0E23", "a")));
    }

    @Test
    void whatIsNullInAMapIsAsIfItWereNotThere() {
        Map<String, Object> map = new HashMap<>(Map.of("a", 1, "empty", Optional.empty()));
        map.put("nothing", null);
        assertThat(of(map)).isEqualTo(of(Map.of("a", 1)));
    }

    @Serdeable
    @NotFingerprinted
    record Trace(String id) {}

    @Serdeable
    record Placed(
            String article,
            @NotFingerprinted String sentAt,
            @NotFingerprinted Optional<String> by,
            Optional<Trace> cause,
            Object trace) {}

    @Test
    void whatIsNotFingerprintedMakesNoDifferenceWhereverItIs() {
        Object now = new Placed("a", "now", Optional.of("me"), Optional.of(new Trace("t")), new Trace("t"));
        Object later = new Placed("a", "later", Optional.empty(), Optional.empty(), new Trace("u"));
        assertThat(of(now)).isEqualTo(of(later)).isEqualTo(of(Map.of("article", "a")));
        assertThat(of(Map.of("in", List.of(now), "trace", new Trace("t"))))
                .isEqualTo(of(Map.of("in", List.of(later), "trace", new Trace("u"))));
        assertThat(of(new Basket(List.of(), BigDecimal.ONE, List.of(new Trace("t"), now))))
                .isEqualTo(of(new Basket(List.of(), BigDecimal.ONE, List.of(new Trace("u"), later))));
        assertThat(of(now)).isNotEqualTo(of(new Placed("b", "now", Optional.empty(), Optional.empty(), null)));
    }

    @Serdeable
    static final class Tags {
        private final Set<String> all;

        Tags(Set<String> all) {
            this.all = all;
        }

        @JsonValue
        public Set<String> getAll() {
            return all;
        }
    }

    @Serdeable
    static final class Names {
        private final List<String> all;

        Names(List<String> all) {
            this.all = all;
        }

        @JsonValue
        public List<String> getAll() {
            return all;
        }
    }

    @Test
    void aListThatStandsForItsBeanIsWrittenInItsOrder() {
        assertThat(of(new Names(List.of("a", "b")))).isEqualTo(of(List.of("a", "b")));
        assertThat(of(new Tags(Set.of("a")))).isEqualTo(of(List.of("a")));
    }

    static final class Page extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
        final String cursor;

        Page(String cursor) {
            this.cursor = cursor;
        }
    }

    @Serdeable
    static class Animal {
        private final String name;

        Animal(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }
    }

    @Serdeable
    static final class Dog extends Animal {
        private final String breed;

        Dog(String breed) {
            super("rex");
            this.breed = breed;
        }

        public String getBreed() {
            return breed;
        }
    }

    @Serdeable
    record Owner(Animal pet, List<Animal> others, Map<String, Animal> byName, Optional<Animal> favourite) {}

    /** A mapper may write a property as what it is declared, and leave out what a subclass adds. */
    @Test
    void whatASubclassAddsIsNeverLeftOutWhereverItIs() {
        for (Function<Animal, Object> place : List.<Function<Animal, Object>>of(
                dog -> dog,
                dog -> Map.of("in", List.of(dog)),
                dog -> new Owner(dog, null, null, null),
                dog -> new Owner(null, List.of(dog), null, null),
                dog -> new Owner(null, null, Map.of("k", dog), null),
                dog -> new Owner(null, null, null, Optional.of(dog)),
                dog -> List.of(new Basket(List.of(), BigDecimal.ONE, new Owner(dog, null, null, null))))) {
            assertThat(of(place.apply(new Dog("boxer"))))
                    .as("%s", place.apply(new Animal("rex")))
                    .isEqualTo(of(place.apply(new Dog("boxer"))))
                    .isNotEqualTo(of(place.apply(new Dog("poodle"))))
                    .isNotEqualTo(of(place.apply(new Animal("rex"))));
        }
        assertThat(of(new Owner(new Animal("rex"), null, null, null)))
                .isEqualTo(of(new Owner(new Animal("rex"), null, null, null)));
    }

    /** The mapper does not know it, so that nothing shows what it adds. */
    static final class Cat extends Animal {
        Cat() {
            super("tom");
        }
    }

    private static List<Object> refused() {
        Map<String, Object> cycle = new HashMap<>();
        cycle.put("itself", cycle);
        Map<Object, Object> twice = new HashMap<>();
        twice.put(1, "number");
        twice.put("1", "text");
        return List.of(
                new Unknown("u"),
                Map.of("in", new Unknown("u")),
                new Basket(List.of(), BigDecimal.ONE, new Unknown("u")),
                new Cat(),
                new Owner(null, List.of(new Cat()), null, null),
                new Object(),
                (Runnable) () -> {},
                Double.NaN,
                Float.NaN,
                cycle,
                List.of(cycle),
                twice,
                new Tags(Set.of("a", "b")),
                new Basket(List.of(), BigDecimal.ONE, new Tags(Set.of("a", "b"))),
                new Page("c"),
                Map.of("in", new Page("c")),
                new Basket(List.of(), BigDecimal.ONE, new Page("c")),
                Map.of(new Object(), 1),
                Map.of(new java.util.Date(0), 1),
                List.of("a").iterator(),
                Stream.of("a"),
                new ByteArrayInputStream(new byte[0]),
                CompletableFuture.completedFuture("a"));
    }

    @Test
    void whatJsonCannotSayIsRefusedInWords() {
        for (Object value : refused()) {
            assertThatThrownBy(() -> of(value))
                    .as("%s", value.getClass())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Idempotent operation 'charge': ")
                    .hasMessageContaining("The body did not run")
                    .message()
                    .doesNotContain(value.getClass().getName());
            assertThatThrownBy(() -> of(value)).cause().hasMessageContaining("@NotFingerprinted");
        }
    }
}
