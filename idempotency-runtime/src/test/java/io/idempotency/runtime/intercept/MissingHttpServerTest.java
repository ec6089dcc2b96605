package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** These tests have the runtime on their class path, and not the module that reads keys from requests. */
class MissingHttpServerTest {

    @Test
    void aRouteWhoseKeyNobodyReadsStopsTheStart() {
        Modules modules = new Modules().and("""
                @io.micronaut.http.annotation.Controller("/payments")
                public class Payments {
                    @io.micronaut.http.annotation.Post
                    @IdempotentOperation(value = "pay", keyRequired = false)
                    public String pay(String id) { return id; }
                }
                """);
        assertThatThrownBy(() -> modules.start(Map.of()).close())
                .hasStackTraceContaining("Operation 'pay'")
                .hasStackTraceContaining("io.idempotency:idempotency-http-server");
    }
}
