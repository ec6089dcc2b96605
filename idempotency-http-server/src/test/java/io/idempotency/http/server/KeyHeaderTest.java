package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {

    private static String parse(String... lines) {
        return KeyHeader.parse(List.of(lines));
    }

    private static String problem(String... lines) {
        return catchThrowableOfType(IllegalArgumentException.class, () -> parse(lines))
                .getMessage();
    }

    @Test
    void noHeaderIsNeitherAKeyNorAProblem() {
        assertThat(parse()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "8e03978e-40d5-43e8-bc93-6894a57f9324|8e03978e-40d5-43e8-bc93-6894a57f9324",
                "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"|8e03978e-40d5-43e8-bc93-6894a57f9324",
                "\"with, comma and space\"|with, comma and space",
                "\"a \\\"quote\\\" and \\\\\"|a \"quote\" and \\",
                "\"a;b=c\"|a;b=c",
                "  padded  |padded"
            })
    void quotedAndBareFormsMeanTheSameKey(String header, String key) {
        assertThat(parse(header)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "\"\"",
                "a,b",
                "a, b",
                "\"a\",\"b\"",
                "\"a\";x=1",
                "a;x=1",
                "a;",
                "\"open",
                "\"bad \\n escape\"",
                "\"trailing \\",
                "two words",
                "naïve",
                "tab\tinside",
                "\"tab\tinside\"",
                "back\\slash",
                "quo\"te"
            })
    void anythingElseIsAProblemThatIsNamed(String header) {
        assertThat(problem(header)).isNotBlank();
    }

    @Test
    void twoHeaderLinesAreAProblemEvenWhenTheyAreEqual() {
        assertThat(problem("a", "a")).contains("2 times");
    }

    @Test
    void aKeyHasAtMost255Characters() {
        assertThat(parse("k".repeat(255))).hasSize(255);
        assertThat(problem("k".repeat(256))).contains("256").contains("255");
        assertThat(parse('"' + "\\\\".repeat(255) + '"')).hasSize(255);
    }
}
