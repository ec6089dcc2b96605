package io.idempotency.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Encodes the results of one operation as bytes, and decodes them. Thread-safe. */
public interface ResultCodec {

    /** Encodes a result. An exception says that it cannot be encoded; any exception or error counts as one. */
    byte[] encode(@Nullable Object value) throws IOException;

    /** Decodes what this or an older version of the application encoded; throws as {@link #encode} does. */
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
