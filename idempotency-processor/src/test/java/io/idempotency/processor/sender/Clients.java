package io.idempotency.processor.sender;

import io.idempotency.processor.compile.Compilation;

/** A client {@code demo.Psp} around the methods that a test is about; they begin on line 11. */
final class Clients {

    private static final String HEAD = """
            package demo;
            import io.idempotency.*;
            import io.micronaut.http.annotation.*;
            import io.micronaut.http.client.annotation.Client;
            import io.micronaut.retry.annotation.Retryable;
            import java.util.*;

            %s
            @Client("psp")
            interface Psp {
            """;

    private static final String RETRYABLE = "package io.micronaut.retry.annotation;\npublic @interface Retryable {}\n";

    private Clients() {}

    static Compilation compile(String methods) {
        return annotated("", methods);
    }

    static Compilation annotated(String annotation, String methods) {
        return Compilation.of(HEAD.formatted(annotation) + methods + "\n}\n", RETRYABLE);
    }
}
