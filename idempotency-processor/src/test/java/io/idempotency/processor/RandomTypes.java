package io.idempotency.processor;

import java.util.List;
import java.util.Random;

/**
 * Sources of random types that hold each other, and of a bean with operations that take them: records, beans, generics, sealed types,
 * enums with bodies, subclasses, classes that Lombok completes, nested containers and arrays.
 */
final class RandomTypes {

    private static final int TYPES = 6;
    private static final List<String> LEAVES = List.of(
            "String",
            "int",
            "long[]",
            "BigDecimal",
            "UUID",
            "boolean",
            "TimeUnit",
            "Integer",
            "byte[]",
            "Instant",
            "Kind",
            "double",
            "LocalDate",
            "Duration",
            "Locale",
            "BigInteger",
            "char",
            "Kind[]",
            "String[]");
    private static final String FACTORY = "@io.micronaut.context.annotation.Factory class Beans {"
            + " @jakarta.inject.Singleton Payments payments() { return null; } }\n";
    private static final List<String> REFUSED =
            List.of("Thread", "Runnable", "java.io.InputStream", "Future<String>", "Exception", "Hidden");

    private final String packageName;
    private final boolean refused;
    private final boolean produced;
    private final StringBuilder source = new StringBuilder();
    private Random random;
    private String prefix = "T";

    /** A bean {@code Payments} in a package; with types that are refused, or without. */
    RandomTypes(Random random, String packageName, boolean refused) {
        this.random = random;
        this.packageName = packageName;
        this.refused = refused;
        this.produced = random.nextInt(4) == 0;
    }

    /** Adds an operation of a name, the arguments' types of which begin with a prefix. */
    RandomTypes with(String operation, Random random, String prefix) {
        this.random = random;
        this.prefix = prefix;
        source.append(
                "@IdempotentOperation(\"%1$s\") public %2$s %1$s(%3$s a, %4$s b) { throw new IllegalStateException(); }\n"
                        .formatted(operation, refused && random.nextBoolean() ? type(0) : "void", type(0), type(0)));
        for (int i = 0; i < TYPES; i++) {
            declare(i);
        }
        return this;
    }

    String source() {
        String constructor = refused && produced && random.nextBoolean() ? "public Payments(String url) {}" : "";
        return """
                package %s;
                import io.idempotency.*;
                import java.math.*;
                import java.time.*;
                import java.util.*;
                import java.util.concurrent.*;
                %spublic class Payments {
                %s
                public enum Kind { ONE { @Override int size() { return 1; } }, TWO; int size() { return 2; } }
                public static class Hidden { private int hidden; void set(int value) { hidden = value; } }
                %s}
                %s""".formatted(
                        packageName,
                        produced ? "" : "@jakarta.inject.Singleton ",
                        constructor,
                        source,
                        produced ? FACTORY : "");
    }

    private void declare(int i) {
        String name = prefix + i;
        String a = type(i + 1);
        String b = type(i + 1);
        String text = switch (random.nextInt(10)) {
            case 0 -> "public record %1$s<T>(%2$s a, T t, %3$s b) {}\n";
            case 1 -> properties("getA", "getB");
            case 2 -> properties("a", "b");
            case 3 -> """
                        public record %1$s<T>(List<Map<String, Optional<T>>> a, %2$s b, Map<Kind, List<T>> t) {}
                        """;
            case 4 -> "public record %1$s<T>(T t, %2$s a, List<%1$s<T>> next, Optional<%1$s<T>> other) {}\n";
            case 5 -> inherited("T", "t");
            case 6 -> inherited("List<T>", "List.of(t)");
            case 7 -> lombok();
            case 8 -> lombokValue();
            default -> """
                        public sealed interface %1$s<T> permits %1$sA, %1$sB, %1$sC, %1$sD {}
                        public record %1$sA(%2$s a) implements %1$s<%4$s> {}
                        public record %1$sB<T>(T t, %3$s b) implements %1$s<T> {}
                        public enum %1$sC implements %1$s<UUID> { ONE, TWO }
                        public static final class %1$sD<T> implements %1$s<T> {
                            private final %2$s a;
                            private final Set<T> t;
                            public %1$sD(%2$s a, Set<T> t) { this.a = a; this.t = t; }
                            public %2$s getA() { return a; }
                            public Set<T> getT() { return t; }
                        }
                        """;
        };
        String declaration = text.formatted(name, a, b, boxed(type(i + 1)));
        // types hold those of higher numbers only: what none before it names, no argument holds
        if (refused || source.indexOf(name + "<") >= 0) {
            source.append(declaration);
        }
    }

    /** A bean with a property of its own and one of a generic base class. */
    private static String inherited(String bound, String value) {
        return """
                public static abstract class %%1$sBase<X> {
                    private final X t;
                    private final %%2$s a;
                    %%1$sBase(X t, %%2$s a) { this.t = t; this.a = a; }
                    public X getT() { return t; }
                    public %%2$s getA() { return a; }
                }
                public static final class %%1$s<T> extends %%1$sBase<%s> {
                    private final %%3$s b;
                    public %%1$s(T t, %%2$s a, %%3$s b) { super(%s, a); this.b = b; }
                    public %%3$s getB() { return b; }
                }
                """.formatted(bound, value);
    }

    private static String properties(String a, String b) {
        return """
                public static final class %%1$s<T> {
                    private final %%2$s a;
                    private final T t;
                    private final %%3$s b;
                    public %%1$s(%%2$s a, T t, %%3$s b) { this.a = a; this.t = t; this.b = b; }
                    public %%2$s %s() { return a; }
                    public %%3$s %s() { return b; }
                    public T getT() { return t; }
                }
                """.formatted(a, b);
    }

    /** Lombok writes its properties, constructor, builder and withers. */
    private static String lombok() {
        return """
                @lombok.Data @lombok.Builder @lombok.With @lombok.AllArgsConstructor(access = lombok.AccessLevel.PACKAGE)
                @lombok.EqualsAndHashCode(cacheStrategy = lombok.EqualsAndHashCode.CacheStrategy.LAZY)
                public static class %1$s<T> {
                    private %2$s a;
                    private T t;
                    private %3$s b;
                    private final boolean isDone;
                    private Boolean isOpen;
                    private String eMail;
                    private transient int hash;
                    @lombok.Getter(lazy = true) private final String lazy = "lazy";
                }
                """;
    }

    /** Immutable by Lombok, with a generic base class. */
    private static String lombokValue() {
        return """
                @lombok.Getter @lombok.RequiredArgsConstructor
                public static abstract class %1$sBase<X> {
                    private final X x;
                }
                @lombok.Value @lombok.EqualsAndHashCode(callSuper = true)
                public static class %1$s<T> extends %1$sBase<List<T>> {
                    %2$s a;
                    %3$s b;
                    public %1$s(T t, %2$s a, %3$s b) { super(List.of(t)); this.a = a; this.b = b; }
                }
                """;
    }

    /** A type that is made of the declared ones from a number on, so that values end. */
    private String type(int from) {
        int chance = random.nextInt(20);
        if (refused && chance == 0 && random.nextInt(3) == 0) {
            return REFUSED.get(random.nextInt(REFUSED.size()));
        }
        if (from >= TYPES || chance < 5) {
            return LEAVES.get(random.nextInt(LEAVES.size()));
        }
        return switch (chance) {
            case 5 -> "List<" + boxed(type(from + 1)) + ">";
            case 6 -> "Optional<" + boxed(type(from + 1)) + ">";
            case 7 -> "Map<String, " + boxed(type(from + 1)) + ">";
            case 8 -> "Set<? extends " + boxed(type(from + 1)) + ">";
            case 9 -> "Map<Kind, List<" + boxed(type(from + 1)) + ">>";
            case 10 -> "List<Optional<" + boxed(type(from + 1)) + ">>";
            default ->
                prefix + (from + random.nextInt(TYPES - from)) + "<" + boxed(LEAVES.get(random.nextInt(LEAVES.size())))
                        + ">";
        };
    }

    private static String boxed(String type) {
        return switch (type) {
            case "int" -> "Integer";
            case "char" -> "Character";
            case "boolean" -> "Boolean";
            case "double" -> "Double";
            default -> type;
        };
    }
}
