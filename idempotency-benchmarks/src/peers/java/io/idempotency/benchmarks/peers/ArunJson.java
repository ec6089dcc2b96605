package io.idempotency.benchmarks.peers;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.serializer.RedisSerializer;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.impl.DefaultTypeResolverBuilder;

/** How arun0009 3.1 writes keys and values where nothing else is configured: Jackson 3, each value with the name of its class. */
final class ArunJson {

    static final JsonMapper MAPPER = JsonMapper.builder()
            .polymorphicTypeValidator(any())
            .setDefaultTyping(new Every(any()))
            .build();

    private ArunJson() {}

    private static PolymorphicTypeValidator any() {
        return BasicPolymorphicTypeValidator.builder()
                .allowIfBaseType(Object.class)
                .allowIfSubType((context, type) -> true)
                .build();
    }

    /** Final classes too, and so records. */
    private static final class Every extends DefaultTypeResolverBuilder {

        private static final long serialVersionUID = 1;

        Every(PolymorphicTypeValidator allowed) {
            super(allowed, DefaultTyping.NON_FINAL, JsonTypeInfo.As.PROPERTY, JsonTypeInfo.Id.CLASS, "@class");
        }

        @Override
        public boolean useForType(JavaType type) {
            return true;
        }
    }

    /** In Redis. */
    record Serializer<T>(Class<T> type) implements RedisSerializer<T> {

        @Override
        public byte[] serialize(@Nullable T value) {
            return value == null ? new byte[0] : MAPPER.writeValueAsBytes(value);
        }

        @Override
        public @Nullable T deserialize(byte @Nullable [] bytes) {
            return bytes == null || bytes.length == 0 ? null : MAPPER.readValue(bytes, type);
        }
    }
}
