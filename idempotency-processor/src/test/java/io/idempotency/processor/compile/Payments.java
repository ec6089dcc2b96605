package io.idempotency.processor.compile;

import java.util.List;

/** A bean {@code demo.Payments} around the members that a test is about. */
public final class Payments {

    /** The line on which the members begin. */
    public static final int FIRST_LINE = 10;

    private static final String HEAD = """
            package demo;
            import io.idempotency.*; import io.idempotency.fingerprint.*;
            import jakarta.inject.Singleton;
            import java.math.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;

            @Singleton class Payments {
            """;

    /** What the Kotlin compiler, and kapt's stubs, add to a suspend function as its last parameter. */
    private static final String CONTINUATION = "package kotlin.coroutines;\npublic interface Continuation<T> {}";

    private Payments() {}

    /** The source of the bean. */
    public static String with(String members) {
        return HEAD + members + "\n}\n";
    }

    /** Compiles the bean. */
    public static Compilation compile(String members) {
        return Compilation.of(with(members));
    }

    /** The errors of compiling the bean. */
    public static List<String> errors(String members) {
        return compile(members).errors();
    }

    /** Compiles the bean where suspend functions, in their compiled form, are known. */
    public static Compilation compileKotlin(String members) {
        return Compilation.of(with(members.replace("suspend", "kotlin.coroutines.Continuation")), CONTINUATION);
    }

    /** Compiles the bean with every warning of javac as an error, and loads it. */
    public static Compiled load(String members) {
        return Compilation.with(List.of("-Xlint:all,-processing", "-Werror"), with(members))
                .load();
    }
}
