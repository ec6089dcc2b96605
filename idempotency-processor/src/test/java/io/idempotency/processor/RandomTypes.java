package io.idempotency.processor;

import java.util.List;
import java.util.Random;

/** Sources of random types that hold each other: records, beans, sealed generics, interfaces, containers, and a bean that takes them. */
final class RandomTypes {

    private static final int TYPES = 6;
    private static final List<String> LEAVES = List.of(
            "String", "int", "long[]", "BigDecimal", "UUID", "boolean", "TimeUnit", "Integer", "byte[]", "Instant");
    private static final List<String> REFUSED =
            List.of("Thread", "Runnable", "java.io.InputStream", "Future<String>", "Exception", "Hidden");

    private final Random random;
    private final StringBuilder source = new StringBuilder();

    RandomTypes(Random random) {
        this.random = random;
    }

    /** A bean {@code demo.Payments} with one operation. */
    String source() {
        boolean produced = random.nextInt(4) == 0;
        source.append(
                "package demo;\nimport io.idempotency.*;\nimport java.math.*;\nimport java.time.*;\nimport java.util.*;\n"
                        + "import java.util.concurrent.*;\n");
        source.append(produced ? "" : "@jakarta.inject.Singleton ").append("public class Payments {\n");
        if (produced && random.nextBoolean()) {
            source.append("public Payments(String url) {}\n");
        }
        source.append("@IdempotentOperation(\"pay\") public %s pay(%s a, %s b) { throw new IllegalStateException(); }\n"
                .formatted(random.nextBoolean() ? "void" : type(0), type(0), type(0)));
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
        source.append(
                switch (random.nextInt(4)) {
                    case 0 -> "public record %1$s<T>(%2$s a, T t, %3$s b) {}\n".formatted(name, a, b);
                    case 1 -> properties("getA", "getB").formatted(name, a, b);
                    case 2 -> properties("a", "b").formatted(name, a, b);
                    default -> """
                        public sealed interface %1$s<T> permits %1$sA, %1$sB, %1$sC {}
                        public record %1$sA(%2$s a) implements %1$s<%4$s> {}
                        public record %1$sB<T>(T t, %3$s b) implements %1$s<T> {}
                        public enum %1$sC implements %1$s<UUID> { ONE, TWO }
                        """.formatted(name, a, b, boxed(type(i + 1)));
                });
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
        if (chance == 0 && random.nextInt(3) == 0) {
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
            default ->
                "T" + (from + random.nextInt(TYPES - from)) + "<" + boxed(LEAVES.get(random.nextInt(LEAVES.size())))
                        + ">";
        };
    }

    private static String boxed(String type) {
        return type.equals("int") ? "Integer" : type.equals("boolean") ? "Boolean" : type;
    }
}
