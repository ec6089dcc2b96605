package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener keeps its group and its messages when its method becomes an operation. */
class KafkaListenerRuleTest {

    private static final String LISTENER = """
            package io.micronaut.configuration.kafka.annotation;
            public @interface KafkaListener {
                String value() default "";
                String groupId() default "";
                ErrorStrategy errorStrategy() default @ErrorStrategy;
            }""";
    private static final String STRATEGY = """
            package io.micronaut.configuration.kafka.annotation;
            public @interface ErrorStrategy {
                int retryCount() default 1;
            }""";

    private static List<String> warnings(String members) {
        Compilation compilation = Compilation.of("""
                package shop;
                import io.idempotency.IdempotentOperation;
                import io.micronaut.configuration.kafka.annotation.*;
                import jakarta.inject.Singleton;
                @Singleton @KafkaListener(%s)
                class Orders {
                    @IdempotentOperation(value = "handle-order", key = "id")
                    void handle(String id) {}
                }""".formatted(members), LISTENER, STRATEGY);
        assertThat(compilation.errors()).isEmpty();
        return compilation.reportedWarnings();
    }

    @Test
    void withoutAGroupAndAStrategyBothAreReportedWithWhatToWrite() {
        assertThat(warnings(""))
                .hasSize(2)
                .anySatisfy(warning ->
                        assertThat(warning).contains("groupId = ", "[idempotency:consumerGroup] docs/compile-time.md"))
                .anySatisfy(warning -> assertThat(warning)
                        .contains("RETRY_ON_ERROR", "[idempotency:lostMessages] docs/compile-time.md"));
    }

    @Test
    void aGroupInEitherMemberIsOne() {
        assertThat(warnings("groupId = \"orders\", errorStrategy = @ErrorStrategy(retryCount = 9)"))
                .isEmpty();
        assertThat(warnings("value = \"orders\", errorStrategy = @ErrorStrategy(retryCount = 9)"))
                .isEmpty();
    }
}
