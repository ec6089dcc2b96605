package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Records are stored under these texts: another text forgets them. */
class CanonicalKeyTest {

    @Test
    void aTextStandsForItselfUnlessItLooksLikeAnotherKey() {
        assertThat(CanonicalKey.text("order-1")).isEqualTo("order-1");
        assertThat(CanonicalKey.text(" a ")).isEqualTo(" a ");
        assertThat(CanonicalKey.text("long(1)")).isEqualTo("text(long(1))");
        assertThat(CanonicalKey.text("keys(\n)")).isEqualTo("text(keys(\n))");
        assertThat(CanonicalKey.text("local-date-2()")).isEqualTo("text(local-date-2())");
        assertThat(CanonicalKey.text("(1)")).isEqualTo("(1)");
        assertThat(CanonicalKey.text("Long(1)")).isEqualTo("Long(1)");
        assertThat(CanonicalKey.text("long(1) ")).isEqualTo("long(1) ");
    }

    @Test
    void whatSaysNothingIsNoKey() {
        for (String nothing : List.of(
                "",
                " ",
                "\t\n",
                "\u00a0",
                "\u2007\u3000",
                "\ufeff",
                " \u200b\u2060",
                "\u0000",
                "\u00ad\u200f",
                "\u3164",
                "\u2800",
                "\u115f\u1160",
                "\uffa0",
                "\ufe0f",
                "\u034f",
                "\u17b4\u17b5",
                "\u180b\u180f",
                "\u2065",
                "\ufff0",
                "\udb40\udc00\udb40\udd00")) {
            assertThat(CanonicalKey.text(nothing)).isNull();
            assertThat(CanonicalKey.typed("uri", nothing)).isNull();
        }
        for (String something : List.of("\ufeffa", "\u2801", "\u3163", "\ufffd", "\ud800", "\u0301", "\ud83d\ude00")) {
            assertThat(CanonicalKey.text(something)).isEqualTo(something);
        }
        assertThat(CanonicalKey.text(null)).isNull();
        assertThat(CanonicalKey.typed("uri", null)).isNull();
        assertThat(CanonicalKey.join("a", null)).isNull();
    }

    @Test
    void otherTypesAndSeveralPartsAreFramed() {
        assertThat(CanonicalKey.typed("long", "17")).isEqualTo("long(17)");
        assertThat(CanonicalKey.join("a", "long(17)", "\ud83d\ude00")).isEqualTo("keys(1:a8:long(17)2:\ud83d\ude00)");
        assertThat(CanonicalKey.join()).isEqualTo("keys()");
    }
}
