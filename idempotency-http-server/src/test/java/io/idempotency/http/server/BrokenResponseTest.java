package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.codec.ResultCodecs;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stored response that somebody changed is refused before anything is made of it. */
@MicronautTest(startApplication = false)
class BrokenResponseTest {

    private final ResultCodec codec;

    BrokenResponseTest(ResultCodecs codecs) {
        this.codec = codecs.codecFor("", Argument.of(HttpResponse.class, String.class));
    }

    @ParameterizedTest
    @CsvSource({
        "200, 2147483647, {}",
        "200, 3, {}",
        "200, -1, {}",
        "0, 2, {}",
        "-200, 2, {}",
        "99, 2, {}",
        "100000, 2, {}",
        "200, 4, null"
    })
    void aStatusOrALengthThatCannotBeIsRefused(int status, int length, String head) {
        byte[] text = head.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ByteBuffer.allocate(8 + text.length)
                .putInt(status)
                .putInt(length)
                .put(text)
                .array();
        assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({"1", "4", "7"})
    void aResponseThatIsCutOffIsRefused(int length) {
        assertThatThrownBy(() -> codec.decode(new byte[length])).isInstanceOf(IOException.class);
    }
}
