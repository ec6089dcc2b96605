package io.idempotency.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.RecordId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is stored under an id is found under it by every later version. */
class RecordIdTest {

    private static final String ABSENT = "absent";

    private static String id(String namespace, @Nullable String tenant, @Nullable String caller, String key) {
        return RecordId.of(namespace, tenant, caller, key).value();
    }

    /** Computed by another program, from the description: SHA-256 over length-framed UTF-16 units. */
    @Test
    void idsAreTheOnesUnderWhichRecordsAreStored() {
        assertThat(id("charge-payment", null, null, "order-1"))
                .isEqualTo("00d343b78491bc2fbb5d806170addf04d3851b13e1882569b359a1341661e277");
        assertThat(id("charge-payment", "acme", "alice", "order-1"))
                .isEqualTo("ac68f7c51447c9de627ed382a33b7e001a749e337c9bef186ca50c59bba41a9d");
        assertThat(id("n", "", "", "keys(1:a1:b)"))
                .isEqualTo("1b69a9d8ed75c4ae41c54a2fd7079b5acff09a402267bbde8092ef193c9e1536");
        assertThat(id("gr\u00f6\u00dfe", "ten\0ant", "\ud83d\ude00", "\ud800"))
                .isEqualTo("03f80e8d418ed2215e99733a76f28ac5383ef35c4a90029848ee1ec435cd0d94");
        assertThat(id("a", null, "b", "\u00ff\u0101\u0100\u0080\u007f"))
                .isEqualTo("2e628fe0cb27eeef509a1f9119e87579c8a3aac3a9eb83f2470b1fbcd7f20c99");
        assertThat(RecordId.of("charge-payment", null, null, "order-1").derive("psp"))
                .isEqualTo("dca21e37cc1c28465df8d83d2d7d3d56750821d8cc6e3c9cefd4b86986e7d32b");
    }

    private static @Nullable String orNull(String text) {
        return text.equals(ABSENT) ? null : text;
    }

    /** Every text of up to two of these, in every place. */
    @Test
    void differentPartsAreNeverOneId() {
        List<String> alphabet =
                List.of("a", "1", ":", "(", "\0", "\u0061\u0000", "\u00e1", "\u0161", "\u6100", "\uffff", "\ud800");
        List<String> texts = new ArrayList<>(alphabet);
        texts.add("");
        texts.add(ABSENT);
        alphabet.forEach(first -> alphabet.forEach(second -> texts.add(first + second)));
        List<String> distinct = texts.stream().distinct().toList();
        List<String> ids = new ArrayList<>();
        for (String one : distinct) {
            for (String other : distinct) {
                ids.add(id("n", orNull(one), orNull(other), "k"));
                ids.add(id("n", orNull(one), "c", "k" + other));
            }
        }
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void onlyADigestInLowerCaseIsAnId() {
        String digits = "0123456789abcdef".repeat(4);
        assertThat(new RecordId(digits).value()).isEqualTo(digits);
        assertThat(new RecordId(digits)).hasToString("01234567\u2026");
        for (String other : List.of(
                "",
                digits.substring(1),
                digits + "0",
                "/" + digits.substring(1),
                ":" + digits.substring(1),
                "`" + digits.substring(1),
                "g" + digits.substring(1),
                "A" + digits.substring(1))) {
            assertThatThrownBy(() -> new RecordId(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(other);
        }
    }

    @Test
    void theHashIsTheDigestsFirstBits() {
        RecordId id = new RecordId("89abcdef" + "0".repeat(56));
        assertThat(id.hashCode()).isEqualTo(0x89abcdef);
        assertThat(new RecordId("89abcdef" + "0".repeat(56))).isEqualTo(id).hasSameHashCodeAs(id);
        assertThat(new RecordId("89abcdef" + "1".repeat(56))).isNotEqualTo(id);
    }

    @Test
    void noOtherCharacterIsADigit() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            String value = "0".repeat(63) + c;
            if ("0123456789abcdef".indexOf(c) >= 0) {
                assertThat(new RecordId(value).value()).isEqualTo(value);
            } else {
                assertThatThrownBy(() -> new RecordId(value)).as(value).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
