package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Finds the codec of a result type. */
@Singleton
public final class ResultCodecs {

    private final JsonMapper json;
    private final List<ResultCodecProvider> providers;

    ResultCodecs(ResultJson json, List<ResultCodecProvider> providers) {
        this.json = json.mapper();
        this.providers = List.copyOf(providers);
    }

    /**
     * A codec for a type.
     *
     * @param type the result type
     * @return its codec
     */
    public ResultCodec codecFor(Argument<?> type) {
        for (ResultCodecProvider provider : providers) {
            Optional<ResultCodec> codec = provider.codecFor(type, this);
            if (codec.isPresent()) {
                return codec.get();
            }
        }
        if (type.isOptional()) {
            return new OptionalCodec(codecFor(type.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT)));
        }
        return new JsonCodec<>(json, type);
    }
}
