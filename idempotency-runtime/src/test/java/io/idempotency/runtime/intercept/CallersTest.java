package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.TenantResolver;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whose key it is. */
@MicronautTest
@Property(name = "test.callers", value = "true")
@Property(name = "idempotency.operations.overloaded-two.other-callers", value = "isolate")
class CallersTest {

    /** Callers and tenants by a test's word. */
    @Factory
    @Requires(property = "test.callers")
    static class Who {
        final AtomicReference<String> caller = new AtomicReference<>();
        final AtomicReference<String> tenant = new AtomicReference<>();

        @Singleton
        CallerResolver callers() {
            return caller::get;
        }

        @Singleton
        TenantResolver tenants() {
            return tenant::get;
        }
    }

    @Inject
    Who who;

    @Inject
    OrderService service;

    private final String id = UUID.randomUUID().toString();

    @Test
    void oneCallersKeyNeverReachesAnothersResultWhereCallersAreIsolated() {
        who.caller.set("alice");
        int alices = service.overloaded(id, 1);
        who.caller.set("bob");
        assertThat(service.overloaded(id, 1)).isNotEqualTo(alices);
        who.caller.set("alice");
        assertThat(service.overloaded(id, 1)).isEqualTo(alices);
    }

    @Test
    void aKeyOfTheApplicationIsOneForAllCallersOfATenant() {
        who.caller.set("alice");
        int first = service.overloaded(id);
        who.caller.set("bob");
        assertThat(service.overloaded(id)).isEqualTo(first);
        who.caller.set(null);
        assertThat(service.overloaded(id)).isEqualTo(first);
        who.tenant.set("other");
        assertThat(service.overloaded(id)).isNotEqualTo(first);
        who.tenant.set(null);
    }

    @Test
    void operationsThatRunAtOnceNeverGetEachOthersResults() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 4000; i++) {
                String key = id + "-" + i % 500;
                calls.add(threads.submit(
                        () -> assertThat(service.generic(key).get("all").get(0).orderId())
                                .isEqualTo(key)));
                calls.add(threads.submit(() -> assertThat(service.derives(key)).hasSize(64)));
            }
            for (Future<?> call : calls) {
                try {
                    call.get();
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(io.idempotency.OperationInProgressException.class);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
