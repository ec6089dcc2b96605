package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An empty optional is stored as nothing, and comes back as an empty optional rather than null. No optional at all, which
 * an empty {@code Mono<Optional<T>>} comes to, is told apart by a byte that no text begins with.
 */
record OptionalCodec(ResultCodec value) implements ResultCodec {

    private static final byte[] NONE = {0};

    @Override
    public byte[] encode(@Nullable Object result) throws IOException {
        return result == null
                ? NONE
                : value.encode(result instanceof Optional<?> optional ? optional.orElse(null) : result);
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return value.encodeJson(json);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        return Arrays.equals(bytes, NONE) ? null : Optional.ofNullable(value.decode(bytes));
    }
}
