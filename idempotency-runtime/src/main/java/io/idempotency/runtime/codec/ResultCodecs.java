package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.TypeInformation;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the codec of a result type. */
@Singleton
public record ResultCodecs(ResultJson json, List<ResultCodecProvider> providers) {

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
        return new JsonCodec<>(json.mapper(), type);
    }

    /**
     * Returns why values of a type cannot be encoded and decoded and what to do; null when no problem can be found
     * beforehand. A compiler does not know which serializers the application has.
     */
    public @Nullable String problemWith(Argument<?> type) {
        if (type.isOptional() || isContainer(type)) {
            for (Argument<?> part : type.getTypeParameters()) {
                String problem = problemWith(part);
                if (problem != null) {
                    return problem;
                }
            }
        }
        String any = ""; // the kind of codec is the same for every operation
        if (type.isVoid() || !(codecFor(any, type) instanceof JsonCodec)) {
            return null;
        }
        try {
            json.types().require(type);
            return null;
        } catch (IOException | RuntimeException e) {
            return "the JSON mapper cannot write and read " + type.getTypeString(TypeInformation.TypeFormat.QUALIFIED)
                    + " (" + e.getMessage() + "). Mark the type that it does not know @Serdeable, or, where it is not"
                    + " yours, write @SerdeImport(ThatType.class) on a class of the application";
        }
    }

    private static boolean isContainer(Argument<?> type) {
        return Iterable.class.isAssignableFrom(type.getType()) || Map.class.isAssignableFrom(type.getType());
    }

    /**
     * Stores an empty optional as no bytes and decodes it to an empty optional. A null in place of an optional, the
     * result of an empty {@code Mono<Optional<T>>}, is stored as a zero byte, with which no text begins.
     */
    private record OptionalCodec(ResultCodec value) implements ResultCodec {

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

    /** Makes codecs for result types that need more than JSON. Beans of this type are tried in their order. */
    public interface ResultCodecProvider {

        /** Returns a codec for an operation's results; empty when this provider does not know the type. */
        Optional<ResultCodec> codecFor(String operation, Argument<?> type, ResultCodecs codecs);
    }
}
