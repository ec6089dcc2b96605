package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the codec of a result type. */
@Singleton
public final class ResultCodecs {

    private final JsonMapper json;
    private final ResultJson.Types types;
    private final List<ResultCodecProvider> providers;

    ResultCodecs(ResultJson json, List<ResultCodecProvider> providers) {
        this.json = json.mapper();
        this.types = json.types();
        this.providers = List.copyOf(providers);
    }

    /**
     * A codec for the results of an operation.
     *
     * @param operation its name
     * @param type the result type
     * @return its codec
     */
    public ResultCodec codecFor(String operation, Argument<?> type) {
        for (ResultCodecProvider provider : providers) {
            Optional<ResultCodec> codec = provider.codecFor(operation, type, this);
            if (codec.isPresent()) {
                return codec.get();
            }
        }
        if (type.isOptional()) {
            return new OptionalCodec(
                    codecFor(operation, type.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT)));
        }
        return new JsonCodec<>(json, type);
    }

    /**
     * Whether values of a type that no compiler has looked at can be written and read.
     *
     * @param type the result type
     * @return null when they can, as far as can be found out beforehand; otherwise why not, and what to do
     */
    public @Nullable String problemWith(Argument<?> type) {
        String any = ""; // the kind of codec is the same for every operation
        if (type.isVoid() || !(codecFor(any, type) instanceof JsonCodec<?>)) {
            return null;
        }
        try {
            types.require(type);
            return null;
        } catch (IOException | RuntimeException e) {
            return "the JSON mapper does not know it (" + e.getMessage() + "). Mark it @Serdeable";
        }
    }
}
