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
import org.junit.jupiter.api.Test;

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
        String stored = "{\"@class\":\"javax.naming.InitialContext\",\"@type\":\"x\",\"id\":\"a\",\"number\":1}";
        assertThat(codec.decode(text(stored))).isEqualTo(new Receipt("a", 1));
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
