package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.Effect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static String table() {
        return "| exception | means | because |\n|---|---|---|\n"
                + KnownFailures.rows().entrySet().stream()
                        .map(KnownFailuresTest::row)
                        .collect(Collectors.joining());
    }

    private static String row(Map.Entry<String, KnownFailures.Row> row) {
        String means = row.getValue().effect() == Effect.UNKNOWN ? "unknown" : "final";
        return "| `" + row.getKey() + "` | " + means + " | " + row.getValue().why() + " |\n";
    }
}
