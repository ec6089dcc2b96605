package io.idempotency.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFormatTest {

    private static final String ALPHABET = "0123456789abcdefABCDEF-g {}";

    @ParameterizedTest
    @CsvSource({
        "8e03978e-40d5-43e8-bc93-6894a57f9324, true, true",
        "8E03978E-40D5-43E8-BC93-6894A57F9324, true, true",
        "01890a5d-ac96-774b-bcce-b302099a8057, true, false", // version 7
        "8e03978e-40d5-43e8-7c93-6894a57f9324, true, false", // another variant
        "8e03978e40d543e8bc936894a57f9324, false, false",
        "{8e03978e-40d5-43e8-bc93-6894a57f9324}, false, false",
        "urn:uuid:8e03978e-40d5-43e8-bc93-6894a57f9324, false, false",
        "8e03978e-40d5-43e8-bc93-6894a57f932, false, false",
        "order-1, false, false"
    })
    void aFormatPermitsWhatItIs(String key, boolean uuid, boolean uuid4) {
        assertThat(KeyFormat.ANY.permits(key)).isTrue();
        assertThat(KeyFormat.UUID.permits(key)).isEqualTo(uuid);
        assertThat(KeyFormat.UUID4.permits(key)).isEqualTo(uuid4);
    }

    @Test
    void upperAndLowerCaseAreOneUuidAndTwoTexts() {
        String key = "8E03978E-40D5-43E8-BC93-6894A57F9324";
        assertThat(KeyFormat.UUID.canonical(key)).isEqualTo("8e03978e-40d5-43e8-bc93-6894a57f9324");
        assertThat(KeyFormat.ANY.canonical(key)).isEqualTo(key);
    }

    @Test
    void everyUuidAndNothingElseIsAUuid() {
        Random random = new Random(7);
        int uuids = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(new UUID(random.nextLong(), random.nextLong()).toString());
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                text.setCharAt(random.nextInt(text.length()), ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            boolean uuid = isUuid(text.toString());
            uuids += uuid ? 1 : 0;
            assertThat(KeyFormat.UUID.permits(text.toString()))
                    .as(text.toString())
                    .isEqualTo(uuid);
            if (KeyFormat.UUID4.permits(text.toString())) {
                UUID parsed = UUID.fromString(text.toString());
                assertThat(uuid && parsed.version() == 4 && parsed.variant() == 2)
                        .isTrue();
            }
        }
        assertThat(uuids).isBetween(50_000, 190_000);
    }

    /** The JDK's own reading, which also takes shorter groups. */
    private static boolean isUuid(String text) {
        try {
            return UUID.fromString(text).toString().equalsIgnoreCase(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
