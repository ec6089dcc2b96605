package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the parser with the algorithm of RFC 8941, section 4.2.5, step by step, and with what the bare form may hold. */
class KeyHeaderFuzzTest {

    @Test
    void everyHeaderMeansWhatTheStandardSaysOrIsRefused() {
        Fuzz.inputs(20_000, input -> {
            String header = header(input);
            String expected = header.strip().startsWith("\"") ? quoted(header.strip()) : bare(header.strip());
            boolean valid = expected != null && !expected.isBlank() && expected.length() <= KeyHeader.MAX_LENGTH;
            String parsed;
            try {
                parsed = KeyHeader.parse(List.of(header));
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotBlank();
                parsed = null;
            }
            assertThat(parsed).as(header).isEqualTo(valid ? expected : null);
        });
    }

    /** Half of them nearly valid, and some as long as a server lets through. */
    private static String header(Input input) {
        String key = input.oneIn(50) ? "k\\\"".repeat(input.below(4_000)) : input.text(input.one(5, 300));
        return switch (input.below(4)) {
            case 0 -> key;
            case 1 -> '"' + key + '"';
            case 2 ->
                '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"' + input.one("", " ", ";a=1", ",\"b\"");
            default -> '"' + key.replaceAll("[^ -~]|[\\\\\"]", "") + '"';
        };
    }

    private static @Nullable String quoted(String text) {
        StringBuilder key = new StringBuilder();
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i == text.length() - 1 ? key.toString() : null;
            }
            if (c == '\\') {
                i++;
                if (i == text.length() || text.charAt(i) != '"' && text.charAt(i) != '\\') {
                    return null;
                }
                c = text.charAt(i);
            } else if (c < ' ' || c > '~') {
                return null;
            }
            key.append(c);
        }
        return null;
    }

    private static @Nullable String bare(String text) {
        boolean printable = text.chars().allMatch(c -> c > ' ' && c <= '~');
        return printable && Stream.of("\"", "\\", ",", ";").noneMatch(text::contains) ? text : null;
    }
}
