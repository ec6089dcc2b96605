package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value of another class than the generated code was written for is never cut down to what that class declares. */
class SubclassFingerprintTest {

    private static final String ANIMALS = """
            static class Animal { public String getName() { return "rex"; } }
            static class Dog extends Animal { public String getBreed() { return "boxer"; } }
            """;

    /** Hibernate's own types, as far as they are asked. */
    private static final List<String> HIBERNATE = List.of("""
            package org.hibernate.proxy;
            public interface HibernateProxy { LazyInitializer getHibernateLazyInitializer(); }
            """, """
            package org.hibernate.proxy;
            public interface LazyInitializer { Object getImplementation(); }
            """);

    private static Compiled load(String members) {
        return Payments.compile(members + ANIMALS).load();
    }

    private static void refused(Compiled payments, Object argument) {
        assertThatThrownBy(() -> payments.fingerprint(argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A demo.Payments$Dog was given where demo.Payments$Animal is declared")
                .hasMessageContaining("The body did not run. Make demo.Payments$Animal sealed");
    }

    @Test
    void aValueOfASubclassIsRefusedAndNotCutDown() {
        Compiled payments = load("@IdempotentOperation void pay(Animal animal) {}");

        assertThat(payments.fingerprint(payments.create("demo.Payments$Animal")))
                .isNotEmpty();
        refused(payments, payments.create("demo.Payments$Dog"));
    }

    @Test
    void soIsOneInAContainerAndInAProperty() {
        for (String type : List.of(
                "List<Animal>",
                "Set<Animal>",
                "Animal[]",
                "Map<String, Animal>",
                "Map<Animal, String>",
                "Optional<Animal>",
                "Collection<? extends Animal>",
                "Box",
                "Generic<Animal>",
                "List<Optional<Box>>")) {
            Compiled payments = load("@IdempotentOperation void pay(" + type + """
                     animals) {}
                    record Box(Animal animal) {}
                    record Generic<T>(T held) {}
                    """);
            refused(payments, holding(type, payments, payments.create("demo.Payments$Dog")));
        }
    }

    private static Object holding(String type, Compiled payments, Object dog) {
        return switch (type) {
            case "Animal[]" -> {
                Object array = java.lang.reflect.Array.newInstance(payments.type("demo.Payments$Animal"), 1);
                java.lang.reflect.Array.set(array, 0, dog);
                yield array;
            }
            case "Set<Animal>" -> java.util.Set.of(dog);
            case "Map<String, Animal>" -> Map.of("k", dog);
            case "Map<Animal, String>" -> Map.of(dog, "v");
            case "Optional<Animal>" -> Optional.of(dog);
            case "Box" -> payments.create("demo.Payments$Box", dog);
            case "Generic<Animal>" -> payments.create("demo.Payments$Generic", dog);
            case "List<Optional<Box>>" -> List.of(Optional.of(payments.create("demo.Payments$Box", dog)));
            default -> List.of(dog);
        };
    }

    @Test
    void aSubclassOfAnAlternativeOfAClosedHierarchyIsRefused() {
        Compiled payments = load("""
                @IdempotentOperation void pay(Means means) {}
                sealed interface Means permits Card, Pet {}
                record Card(String number) implements Means {}
                static non-sealed class Pet implements Means { public String getName() { return "x"; } }
                static class Cat extends Pet { public int getLives() { return 9; } }
                """);

        assertThat(payments.fingerprint(payments.create("demo.Payments$Pet"))).isNotEmpty();
        assertThatThrownBy(() -> payments.fingerprint(payments.create("demo.Payments$Cat")))
                .hasMessageContaining("A demo.Payments$Cat was given where demo.Payments$Pet is declared");
    }

    @Test
    void constantsWithBodiesAreWhatTheyAre() {
        Compiled payments = load("""
                @IdempotentOperation void pay(Kind kind) {}
                enum Kind { PLAIN, WITH_BODY { @Override public String toString() { return "other"; } } }
                """);

        assertThat(payments.fingerprint(payments.constant("demo.Payments$Kind", "WITH_BODY")))
                .isNotEqualTo(payments.fingerprint(payments.constant("demo.Payments$Kind", "PLAIN")));
    }

    @Test
    void aProxyOfMicronautIsWrittenAsWhatItStandsFor() {
        Compiled payments = load("""
                @IdempotentOperation void pay(Animal animal) {}
                static class Around extends Animal implements io.micronaut.aop.Intercepted {}
                static class Before extends Animal implements io.micronaut.aop.InterceptedProxy<Animal> {
                    private final Animal target;
                    Before(Animal target) { this.target = target; }
                    @Override public String getName() { return null; }
                    @Override public Animal interceptedTarget() { return target; }
                    @Override public void $withBeanQualifier(io.micronaut.context.Qualifier<Animal> qualifier) {}
                }
                """);
        Object animal = payments.create("demo.Payments$Animal");

        assertThat(payments.fingerprint(payments.create("demo.Payments$Around")))
                .isEqualTo(payments.fingerprint(animal))
                .isEqualTo(payments.fingerprint(payments.create("demo.Payments$Before", animal)));
        refused(payments, payments.create("demo.Payments$Before", payments.create("demo.Payments$Dog")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Animal", "Dog"})
    void aProxyOfHibernateIsTheEntityBehindIt(String entity) {
        Compiled payments = Compilation.of(Payments.with("""
                        @IdempotentOperation void pay(Animal animal) {}
                        static class Lazy extends Animal implements org.hibernate.proxy.HibernateProxy {
                            private final Animal target;
                            Lazy(Animal target) { this.target = target; }
                            @Override public String getName() { return null; }
                            @Override public org.hibernate.proxy.LazyInitializer getHibernateLazyInitializer() {
                                return () -> target;
                            }
                        }
                        """ + ANIMALS), HIBERNATE.get(0), HIBERNATE.get(1))
                .load();
        Object target = payments.create("demo.Payments$" + entity);
        Object proxy = payments.create("demo.Payments$Lazy", target);

        if (entity.equals("Animal")) {
            assertThat(payments.fingerprint(proxy)).isEqualTo(payments.fingerprint(target));
        } else {
            refused(payments, proxy);
        }
    }
}
