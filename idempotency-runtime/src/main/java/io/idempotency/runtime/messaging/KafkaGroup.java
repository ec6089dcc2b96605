package io.idempotency.runtime.messaging;

import io.idempotency.definition.KafkaStrategy;
import io.micronaut.context.env.PropertyExpressionResolver;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.value.PropertyResolver;
import io.micronaut.runtime.ApplicationConfiguration;
import java.util.Optional;

/**
 * The consumer group that Micronaut Kafka gives to listeners without one: the application's name, in small letters and with
 * hyphens. The compiler writes a placeholder of it; Micronaut loads this class as a service.
 */
@Internal
public final class KafkaGroup implements PropertyExpressionResolver {

    @Override
    public <T> Optional<T> resolve(
            PropertyResolver properties, ConversionService conversion, String expression, Class<T> type) {
        return Optional.of(expression)
                .filter(KafkaStrategy.GROUP::equals)
                .flatMap(group -> properties.getProperty(ApplicationConfiguration.APPLICATION_NAME, String.class))
                .flatMap(name -> conversion.convert(NameUtils.hyphenate(name), type));
    }
}
