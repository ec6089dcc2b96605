package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.SerdeIntrospections;
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

    /** The bit of a class file (JVM specification, 4.1) that abstract classes and interfaces have. */
    private static final int ABSTRACT = 0x0400;

    @Singleton
    @Requires(beans = ObjectMapper.class)
    ResultJson resultJson(
            ObjectMapper json,
            SerializationConfiguration configured,
            SerdeRegistry serdes,
            SerdeIntrospections introspections) {
        return new ResultJson(
                json.cloneWithConfiguration(null, new Everything(configured), null),
                type -> require(type, serdes, introspections));
    }

    private static <T> void require(Argument<T> type, SerdeRegistry serdes, SerdeIntrospections introspections)
            throws IOException {
        Serializer.EncoderContext writing = serdes.newEncoderContext(null);
        Serializer<? super T> serializer = writing.findSerializer(type);
        serializer.createSpecific(writing, type);
        boolean general = serializer.getClass()
                == writing.findSerializer(Argument.OBJECT_ARGUMENT).getClass();
        if (general && (type.getType().getModifiers() & ABSTRACT) == 0) {
            introspections.getSerializableIntrospection(
                    type); // otherwise the class at run time is looked up, which is this
        }
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
