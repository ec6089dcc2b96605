package io.idempotency.processor;

import java.util.List;
import java.util.Random;

/**
 * Sources of random types that hold each other, and of a bean that takes them: records, beans, generics, sealed types,
 * enums with bodies, subclasses, nested containers and arrays.
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
    private static final List<String> REFUSED =
            List.of("Thread", "Runnable", "java.io.InputStream", "Future<String>", "Exception", "Hidden");

    private final Random random;
    private final String name;
    private final boolean refused;
    private final StringBuilder source = new StringBuilder();

    /** In the package of a name, which is also the operation's; with types that are refused, or without. */
    RandomTypes(Random random, String name, boolean refused) {
        this.random = random;
        this.name = name;
        this.refused = refused;
    }

    /** A bean {@code Payments} with one operation. */
    String source() {
        boolean produced = random.nextInt(4) == 0;
        source.append("package ")
                .append(name)
                .append(";\nimport io.idempotency.*;\nimport java.math.*;\nimport java.time.*;\nimport java.util.*;\n"
                        + "import java.util.concurrent.*;\n");
        source.append(produced ? "" : "@jakarta.inject.Singleton ").append("public class Payments {\n");
        if (refused && produced && random.nextBoolean()) {
            source.append("public Payments(String url) {}\n");
        }
        source.append("@IdempotentOperation(\"%s\") public %s pay(%s a, %s b) { throw new IllegalStateException(); }\n"
                .formatted(name, refused && random.nextBoolean() ? type(0) : "void", type(0), type(0)));
        source.append(
                "public enum Kind { ONE { @Override int size() { return 1; } }, TWO; int size() { return 2; } }\n");
        source.append("public static class Hidden { private int hidden; void set(int value) { hidden = value; } }\n");
        for (int i = 0; i < TYPES; i++) {
            declare(i);
        }
        source.append("}\n");
        if (produced) {
            source.append("@io.micronaut.context.annotation.Factory class Beans {"
                    + " @jakarta.inject.Singleton Payments payments() { return null; } }\n");
        }
        return source.toString();
    }

    private void declare(int i) {
        String name = "T" + i;
        String a = type(i + 1);
        String b = type(i + 1);
        String text = switch (random.nextInt(8)) {
            case 0 -> "public record %1$s<T>(%2$s a, T t, %3$s b) {}\n";
            case 1 -> properties("getA", "getB");
            case 2 -> properties("a", "b");
            case 3 -> """
                        public record %1$s<T>(List<Map<String, Optional<T>>> a, %2$s b, Map<Kind, List<T>> t) {}
                        """;
            case 4 -> "public record %1$s<T>(T t, %2$s a, List<%1$s<T>> next, Optional<%1$s<T>> other) {}\n";
            case 5 -> inherited("T", "t");
            case 6 -> inherited("List<T>", "List.of(t)");
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
        source.append(text.formatted(name, a, b, boxed(type(i + 1))));
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
                "T" + (from + random.nextInt(TYPES - from)) + "<" + boxed(LEAVES.get(random.nextInt(LEAVES.size())))
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
