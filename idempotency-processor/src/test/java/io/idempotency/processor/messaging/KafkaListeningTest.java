package io.idempotency.processor.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.idempotency.TooManyRecordsException;
import io.idempotency.definition.KafkaStrategy;
import io.idempotency.processor.compile.Compilation;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.BeanDefinitionReference;
import java.lang.annotation.Annotation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Kafka listener keeps its group and its messages when its method becomes an operation. */
class KafkaListeningTest {

    private static AnnotationValue<Annotation> compiled(String members, String advice) {
        Compilation compilation = KafkaAnnotations.listener(members, advice);
        assertThat(compilation.reportedErrors()).isEmpty();
        assertThat(compilation.reportedWarnings()).isEmpty();
        var definition = (BeanDefinitionReference<?>)
                compilation.load().create("shop.$Orders$Definition$Intercepted$Definition");
        return definition
                .getAnnotationMetadata()
                .getAnnotation("io.micronaut.configuration.kafka.annotation.KafkaListener");
    }

    private static AnnotationValue<Annotation> strategy(AnnotationValue<Annotation> listener) {
        return listener.getAnnotation("errorStrategy").orElseThrow();
    }

    @Test
    void aListenerThatSaysNothingTriesAgainWhatIsRefusedForAWhileAndCommitsEachPoll() {
        AnnotationValue<Annotation> listener = compiled("", "");
        assertThat(listener.stringValue("offsetStrategy")).contains("SYNC");
        assertThat(strategy(listener).stringValue()).contains("RETRY_ON_ERROR");
        assertThat(strategy(listener).intValue("retryCount")).hasValue(Integer.MAX_VALUE);
        assertThat(strategy(listener).classValues("exceptionTypes"))
                .containsExactlyInAnyOrder(
                        OperationInProgressException.class,
                        IdempotencyStoreUnavailableException.class,
                        TooManyRecordsException.class,
                        ApplicationShuttingDownException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@Orders.Prepared"})
    void itsGroupIsTheOneThatItHasWithoutTheOperation(String otherAdvice) {
        assertThat(compiled("", otherAdvice).stringValue("groupId"))
                .contains("${" + KafkaStrategy.GROUP + ":shop.Orders}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@Orders.Traced", "@Orders.Counted"})
    void whereOtherAdviceInterceptsItAnywayItsGroupStays(String otherAdvice) {
        assertThat(compiled("", otherAdvice).stringValue("groupId")).isEmpty();
    }

    @Test
    void whatIsWrittenStays() {
        AnnotationValue<Annotation> listener = compiled(
                "value = \"orders\", offsetStrategy = OffsetStrategy.AUTO, errorStrategy ="
                        + " @ErrorStrategy(value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = 900)",
                "");
        assertThat(listener.stringValue("groupId")).contains("orders");
        assertThat(listener.stringValue("offsetStrategy")).contains("AUTO");
        assertThat(strategy(listener).intValue("retryCount")).hasValue(900);
    }
}
