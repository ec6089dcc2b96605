package io.idempotency.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Turns the results of one operation into bytes and back. Thread-safe. */
public interface ResultCodec {

    /**
     * Encodes a result.
     *
     * @throws IOException when it cannot be encoded; so does any other exception or error
     */
    byte[] encode(@Nullable Object value) throws IOException;

    /**
     * Decodes a result that this or an older version of the application encoded.
     *
     * @throws IOException when it cannot be decoded; so does any other exception or error
     */
    @Nullable
    Object decode(byte[] bytes) throws IOException;

    /**
     * Encodes a result that an operator wrote as JSON, as {@link #encode} encodes the result itself.
     *
     * @throws IOException when it is no result of this type, with the reason for people; so does any other exception
     */
    default byte[] encodeJson(byte[] json) throws IOException {
        return encode(decode(json));
    }
}
