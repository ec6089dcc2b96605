package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.definition.LibraryVersion;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Test;

/** These tests have the annotations and the processor on their class path, and not the runtime. */
class MissingRuntimeTest {

    private static void start(Compiled compiled) {
        ApplicationContext.builder(compiled.loader()).start().close();
    }

    @Test
    void operationsStopTheApplicationNamingTheMethodAndTheDependency() {
        Compiled compiled = Payments.load("@IdempotentOperation(key = \"id\") public void charge(String id) {}");
        assertThatThrownBy(() -> start(compiled))
                .hasStackTraceContaining("demo.Payments.charge")
                .hasStackTraceContaining("io.idempotency:idempotency-runtime:" + LibraryVersion.CURRENT)
                .hasStackTraceContaining("The application does not start");
    }

    @Test
    void sendersStopItToo() {
        Compiled compiled = Payments.load("@SendsIdempotencyKey public void charge(String id) {}");
        assertThatThrownBy(() -> start(compiled))
                .hasStackTraceContaining("demo.Payments.charge")
                .hasStackTraceContaining("io.idempotency:idempotency-http-client:" + LibraryVersion.CURRENT);
    }

    @Test
    void anApplicationWithoutAnnotatedMethodsStarts() {
        Compiled compiled = Payments.load("public void charge(String id) {}");
        try (ApplicationContext context =
                ApplicationContext.builder(compiled.loader()).start()) {
            assertThat(context.isRunning()).isTrue();
        }
    }
}
