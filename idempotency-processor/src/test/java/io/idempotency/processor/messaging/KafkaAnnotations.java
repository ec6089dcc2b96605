package io.idempotency.processor.messaging;

import io.idempotency.processor.compile.Compilation;
import java.util.stream.Stream;

/** Sources of the annotations of Micronaut Kafka, as far as the compiler reads and writes them. */
public final class KafkaAnnotations {

    private static final String PACKAGE = "package io.micronaut.configuration.kafka.annotation;\n"
            + "import java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME)\n";

    private static Stream<String> sources() {
        return Stream.of(PACKAGE + """
                @io.micronaut.messaging.annotation.MessageListener
                public @interface KafkaListener {
                    @io.micronaut.context.annotation.AliasFor(member = "groupId")
                    String value() default "";
                    String groupId() default "";
                    boolean batch() default false;
                    OffsetStrategy offsetStrategy() default OffsetStrategy.AUTO;
                    ErrorStrategy errorStrategy() default @ErrorStrategy;
                }""", PACKAGE + """
                @io.micronaut.messaging.annotation.MessageMapping
                @Repeatable(Topics.class)
                public @interface Topic { String[] value() default {}; String[] patterns() default {}; }""", PACKAGE + """
                public @interface Topics { Topic[] value() default {}; }""", PACKAGE + """
                public @interface ErrorStrategy {
                    ErrorStrategyValue value() default ErrorStrategyValue.NONE;
                    int retryCount() default 1;
                    String retryDelay() default "1s";
                    Class<? extends Throwable>[] exceptionTypes() default {};
                }""", """
                package io.micronaut.configuration.kafka.annotation;
                public enum ErrorStrategyValue { NONE, RETRY_ON_ERROR, RETRY_EXPONENTIALLY_ON_ERROR, RESUME_AT_NEXT_RECORD }""", """
                package io.micronaut.configuration.kafka.annotation;
                public enum OffsetStrategy { AUTO, DISABLED, SYNC, SYNC_PER_RECORD, SEND_TO_TRANSACTION }""");
    }

    private KafkaAnnotations() {}

    /** Compiles a listener that returns a value of this type. */
    public static Compilation returning(String type) {
        return listener("", "", type + " handle(String id) { return null; }");
    }

    /** Compiles a listener with this parameter beside its key. */
    public static Compilation taking(String parameter) {
        return listener("", "", "void handle(String id, " + parameter + ") {}");
    }

    /** Compiles a listener whose method carries this annotation. */
    public static Compilation annotated(String annotation) {
        return listener("", "", annotation + " void handle(String id) {}");
    }

    /** Compiles a listener with these members of {@code @KafkaListener} and this advice on its class. */
    public static Compilation listener(String members, String advice) {
        return listener(members, advice, "void handle(String id) {}");
    }

    /** Compiles a listener that has its annotations from another one, with these members of {@code @KafkaListener}. */
    public static Compilation composed(String members) {
        return compile(LISTENER.formatted("", "", "void handle(String id) {}")
                .replace("@KafkaListener() ", "@Orders.House ")
                .replace(
                        "@interface Traced {}",
                        "@interface Traced {}\n@java.lang.annotation.Retention("
                                + "java.lang.annotation.RetentionPolicy.RUNTIME) @KafkaListener(" + members
                                + ") @interface House {}"));
    }

    /** Compiles a listener of these topics. */
    public static Compilation ofTopics(String topics) {
        return compile(LISTENER.formatted("", "", "void handle(String id) {}").replace("\"orders\"", topics));
    }

    private static final String LISTENER = """
                package shop;
                import io.idempotency.*;
                import io.micronaut.configuration.kafka.annotation.*;
                @KafkaListener(%s) %s
                public class Orders {
                    @io.micronaut.aop.Around
                    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                    @interface Traced {}
                    @io.micronaut.aop.InterceptorBinding
                    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                    @interface Counted {}
                    @io.micronaut.aop.InterceptorBinding(kind = io.micronaut.aop.InterceptorKind.POST_CONSTRUCT)
                    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
                    @interface Prepared {}
                    @Topic("orders")
                    @IdempotentOperation(value = "handle-order", key = "id")
                    public %s
                }""";

    private static Compilation listener(String members, String advice, String method) {
        return compile(LISTENER.formatted(members, advice, method));
    }

    private static Compilation compile(String listener) {
        return Compilation.of(Stream.concat(Stream.of(listener), sources()).toArray(String[]::new));
    }
}
