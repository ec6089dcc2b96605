package io.idempotency.runtime.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of exceptions in docs/failures.md is written from the list: a failure shows what to paste between its marks. */
class KnownFailuresTest {

    private static final String START = "<!-- failures -->\n";
    private static final String END = "<!-- /failures -->";

    @Test
    void theDocumentedFailuresAreTheKnownOnes() throws IOException {
        String document = Files.readString(Path.of("../docs/failures.md"));
        assertThat(document.substring(document.indexOf(START) + START.length(), document.indexOf(END)))
                .isEqualTo(table());
    }

    /** One row for all exceptions that mean the same, in the order of the list. */
    private static String table() {
        Map<String, String> exceptions = new LinkedHashMap<>();
        KnownFailures.rows()
                .forEach((exception, row) ->
                        exceptions.merge(meaning(row), quoted(exception), (one, other) -> one + ", " + other));
        return "| means | exceptions |\n|---|---|\n"
                + exceptions.entrySet().stream()
                        .map(row -> "| " + row.getKey() + " | " + row.getValue() + " |\n")
                        .collect(Collectors.joining());
    }

    /** Those of the JDK without their package. */
    private static String quoted(String exception) {
        return "`" + exception.replaceFirst("^java\\.[a-z.]+\\.", "") + "`";
    }

    private static String meaning(KnownFailures.Row row) {
        return row.effect() == Effect.UNKNOWN
                ? "unknown: the body was cut off, or the request or its answer was lost"
                : row.unsent()
                        ? "final: nothing was sent"
                        : "final: it happened inside this JVM, or the server answered";
    }
}
