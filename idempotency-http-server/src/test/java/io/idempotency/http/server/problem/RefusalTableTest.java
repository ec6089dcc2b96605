package io.idempotency.http.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of refusals in docs/http.md is written from the list: a failure shows what to paste between its marks. */
class RefusalTableTest {

    private static final String START = "<!-- refusals -->\n";
    private static final String END = "<!-- /refusals -->";

    @Test
    void theDocumentedRefusalsAreTheDeclaredOnes() throws IOException {
        String document = Files.readString(Path.of("../docs/http.md"));
        assertThat(document.substring(document.indexOf(START) + START.length(), document.indexOf(END)))
                .isEqualTo(table());
    }

    private static String table() {
        return "| code | status | body ran | retry | what happened |\n|---|---|---|---|---|\n"
                + Arrays.stream(Refusal.values()).map(RefusalTableTest::row).collect(Collectors.joining());
    }

    private static String row(Refusal refusal) {
        return "| `" + refusal.code() + "` | " + refusal.status() + " | "
                + refusal.executed().code() + " | " + refusal.retry().code() + " | " + refusal.title()
                + " |\n";
    }
}
