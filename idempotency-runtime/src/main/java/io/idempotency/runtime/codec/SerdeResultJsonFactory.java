package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.config.SerializationConfiguration;
import io.micronaut.serde.config.annotation.SerdeConfig.SerInclude;
import jakarta.inject.Singleton;

/**
 * Micronaut Serialization leaves empty texts, lists and arrays out unless it is configured otherwise, and they would come
 * back as null: a duplicate would get another result than the first caller.
 */
@Factory
@Requires(classes = ObjectMapper.class)
final class SerdeResultJsonFactory {

    @Singleton
    @Requires(beans = ObjectMapper.class)
    ResultJson resultJson(ObjectMapper json, SerializationConfiguration configured) {
        return new ResultJson(json.cloneWithConfiguration(null, new Everything(configured), null));
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
