package io.idempotency.runtime.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.KafkaStrategy;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.ApplicationConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener that becomes an operation stays in its consumer group. */
class KafkaGroupTest {

    private static final String WRITTEN = "${" + KafkaStrategy.GROUP + ":shop.Orders}";

    @ParameterizedTest
    @ValueSource(strings = {"orderService", "order-service", "Order Service", "shop_2"})
    void itIsTheApplicationsNameAsMicronautWritesIt(String name) {
        try (ApplicationContext context = ApplicationContext.run(Map.of("micronaut.application.name", name))) {
            assertThat(context.resolvePlaceholders(WRITTEN))
                    .isEqualTo(context.getBean(ApplicationConfiguration.class).getName());
        }
    }

    @Test
    void itIsTheListenersClassInAnApplicationWithoutAName() {
        try (ApplicationContext context = ApplicationContext.run()) {
            assertThat(context.resolvePlaceholders(WRITTEN)).contains("shop.Orders");
        }
    }
}
