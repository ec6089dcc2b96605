package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A RabbitMQ listener that loses messages by what is written on it is told what to write. */
class RabbitListenerRuleTest {

    private static final String PACKAGE = "package io.micronaut.rabbitmq.annotation;\n"
            + "import java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME)\n";

    private static List<String> warnings(String members, String method) {
        Compilation compilation = Compilation.of("""
                package shop;
                import io.idempotency.*;
                import io.micronaut.messaging.Acknowledgement;
                import io.micronaut.rabbitmq.annotation.*;
                import java.util.concurrent.CompletionStage;
                @RabbitListener
                public class Orders {
                    @Queue(value = "orders" %s)
                    @IdempotentOperation(value = "handle-order", key = "id")
                    %s
                }""".formatted(members, method), PACKAGE + """
                @io.micronaut.messaging.annotation.MessageListener
                public @interface RabbitListener {}""", PACKAGE + """
                @io.micronaut.messaging.annotation.MessageMapping
                public @interface Queue {
                    String value();
                    boolean reQueue() default false;
                    boolean autoAcknowledgment() default false;
                }""");
        assertThat(compilation.errors()).isEmpty();
        return compilation.reportedWarnings();
    }

    @Test
    void aListenerThatLeavesTheAcknowledgementToMicronautIsNotReported() {
        assertThat(warnings("", "void handle(String id) {}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"autoAcknowledgment, before it is handled", "reQueue, for ever"})
    void aQueueThatLosesOrRepeatsIsReported(String member, String why) {
        assertThat(warnings(", " + member + " = true", "void handle(String id) {}"))
                .singleElement()
                .asString()
                .contains(member + " = true", why, "Remove it", "[idempotency:lostMessages]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CompletionStage<String> handle(String id) { return null; }",
                "org.reactivestreams.Publisher<String> handle(String id) { return null; }",
                "io.reactivex.rxjava3.core.Single<String> handle(String id) { return null; }",
                "io.reactivex.rxjava3.core.Completable handle(String id) { return null; }",
                "@io.micronaut.scheduling.annotation.Async void handle(String id) {}"
            })
    void anAsynchronousResultIsReported(String method) {
        assertThat(warnings("", method))
                .singleElement()
                .asString()
                .contains("Return the value itself", "[idempotency:lostMessages]");
    }

    @Test
    void anAcknowledgementByHandIsReported() {
        assertThat(warnings("", "void handle(String id, @NotFingerprinted Acknowledgement message) {}"))
                .singleElement()
                .asString()
                .contains("remove the parameter");
    }
}
