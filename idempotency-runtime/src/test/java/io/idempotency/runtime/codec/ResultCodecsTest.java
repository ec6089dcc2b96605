package io.idempotency.runtime.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@MicronautTest
class ResultCodecsTest {

    @Inject
    ResultCodecs codecs;

    @Serdeable
    record Receipt(String id, int number) {}

    private static byte[] text(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void classNamesInTheStoredTextDecideNothing() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        String stored = "{\"@class\":null,\"@type\":null,\"id\":\"a\",\"number\":1}";
        assertThat(codec.decode(text(stored))).isEqualTo(new Receipt("a", 1));
        assertThatThrownBy(() -> codec.decode(text(stored.replaceFirst("null", "\"javax.naming.InitialContext\""))))
                .isInstanceOf(IOException.class);
    }

    /** As during a deployment: the amount would be replayed as 0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\",\"amount\":7}",
                "{\"reference\":\"a\",\"number\":7}",
                "{\"id\":\"a\",\"number\":7.5}",
                "{\"id\":\"a\",\"number\":7,\"note\":\"\"}"
            })
    void whatAnotherVersionWroteIsNotReadWithOtherContent(String stored) {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        assertThatThrownBy(() -> codec.decode(text(stored))).isInstanceOf(IOException.class);
        ResultCodec many = codecs.codecFor("many-receipts", Argument.listOf(Receipt.class));
        assertThatThrownBy(() -> many.decode(text("[{\"id\":\"b\",\"number\":1}," + stored + ']')))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whatAnotherVersionDidNotWriteYetIsReadWithoutIt() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        assertThat(codec.decode(text("{\"id\":\"a\",\"note\":null}"))).isEqualTo(new Receipt("a", 0));
        ResultCodec sets = codecs.codecFor("sets", Argument.setOf(Receipt.class));
        assertThat(sets.decode(text("[{\"id\":\"b\"},{\"id\":\"a\"}]")))
                .isEqualTo(Set.of(new Receipt("a", 0), new Receipt("b", 0)));
    }

    @Test
    void noPrimitiveIsRecordedAsNull() {
        ResultCodec codec = codecs.codecFor("numbers", Argument.INT);
        assertThatThrownBy(() -> codec.encodeJson(text("null"))).isInstanceOf(IOException.class);
    }

    @Test
    void genericTypesComeBackAsTheyWere() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.listOf(Receipt.class));
        List<Receipt> receipts = List.of(new Receipt("a", 1), new Receipt("b", 2));
        assertThat(codec.decode(codec.encode(receipts))).isEqualTo(receipts);
    }

    @Test
    void aTamperedResultIsAnErrorAndNeverNull() {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        for (String tampered : List.of("null", "{\"id\":", "[]", "\u0000")) {
            assertThatThrownBy(() -> codec.decode(text(tampered))).isInstanceOf(Exception.class);
        }
    }
}
