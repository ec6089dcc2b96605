package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.SerdeRegistry;
import io.micronaut.serde.Serializer;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.config.annotation.SerdeConfig.SerInclude;
import jakarta.inject.Singleton;
import java.io.IOException;

/**
 * Micronaut Serialization leaves empty texts, lists and arrays out unless it is configured otherwise, and they would come
 * back as null: a duplicate would get another result than the first caller.
 */
@Factory
@Requires(classes = ObjectMapper.class)
final class SerdeResultJsonFactory {

    @Singleton
    @Requires(beans = ObjectMapper.class)
    ResultJson resultJson(ObjectMapper json, SerializationConfiguration configured, SerdeRegistry serdes) {
        return new ResultJson(
                json.cloneWithConfiguration(null, new Everything(configured), null), type -> require(type, serdes));
    }

    private static <T> void require(Argument<T> type, SerdeRegistry serdes) throws IOException {
        Serializer.EncoderContext writing = serdes.newEncoderContext(null);
        writing.findSerializer(type).createSpecific(writing, type);
        Deserializer.DecoderContext reading = serdes.newDecoderContext(null);
        reading.findDeserializer(type).createSpecific(reading, type);
    }

    /** The application's configuration, but nothing is left out. */
    private record Everything(SerializationConfiguration configured) implements SerializationConfiguration {
        @Override
        public SerInclude getInclusion() {
            return SerInclude.ALWAYS;
        }

        @Override
        public boolean isAlwaysSerializeErrorsAsList() {
            return configured.isAlwaysSerializeErrorsAsList();
        }

        @Override
        public boolean sortPropertiesAlphabetically() {
            return configured.sortPropertiesAlphabetically();
        }
    }
}
