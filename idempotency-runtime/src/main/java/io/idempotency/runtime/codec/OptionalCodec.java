package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An empty optional is stored as nothing, and comes back as an empty optional rather than null. */
record OptionalCodec(ResultCodec value) implements ResultCodec {

    @Override
    public byte[] encode(@Nullable Object result) throws IOException {
        return value.encode(result instanceof Optional<?> optional ? optional.orElse(null) : result);
    }

    @Override
    public Object decode(byte[] bytes) throws IOException {
        return Optional.ofNullable(value.decode(bytes));
    }
}
