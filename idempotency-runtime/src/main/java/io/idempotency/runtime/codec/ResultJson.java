package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.SerdeIntrospections;
import io.micronaut.serde.SerdeRegistry;
import io.micronaut.serde.Serializer;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.config.annotation.SerdeConfig.SerInclude;
import jakarta.inject.Singleton;
import java.io.IOException;

/** The mapper of results, and a check of their types. */
record ResultJson(JsonMapper mapper, Types types) {

    /** Checks types before their values are encoded. */
    @FunctionalInterface
    interface Types {
        /** Throws an exception when values of a type cannot be encoded or decoded. */
        void require(Argument<?> type) throws IOException;
    }

    /** Uses the application's own mapper as it is configured, and checks no types. */
    @Factory
    static final class OfApplication {

        @Singleton
        @Secondary
        ResultJson resultJson(@Nullable JsonMapper json) {
            if (json == null) {
                throw new ConfigurationException(
                        "Results of idempotent operations are recorded as JSON, and nothing on the class"
                                + " path writes it. The application does not start. Add the dependency"
                                + " io.micronaut.serde:micronaut-serde-jackson and, among the annotation processors,"
                                + " io.micronaut.serde:micronaut-serde-processor.");
            }
            return new ResultJson(json, type -> {});
        }
    }

    /**
     * Makes Micronaut Serialization write every property. By default it omits empty texts, lists and arrays, which
     * would be decoded as null: a duplicate would get another result than the first caller.
     */
    @Factory
    @Requires(classes = ObjectMapper.class)
    static final class OfSerde {

        /** The flag of abstract classes and interfaces in a class file (JVM specification, 4.1). */
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

        /** The application's configuration, except that nothing is omitted. */
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
}
