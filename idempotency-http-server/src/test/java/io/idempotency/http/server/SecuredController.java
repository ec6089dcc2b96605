package io.idempotency.http.server;

import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.TenantResolver;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Routes that only payers may use. */
@Controller("/secured")
@Secured("PAYER")
@Requires(property = "test.secured")
class SecuredController {

    final AtomicInteger bodies = new AtomicInteger();

    @Serdeable
    @Introspected
    record Charge(@NotBlank String card, @Positive int amount) {}

    @Post("/charge")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation("secured-charge")
    int charge(@Body @Valid Charge charge) {
        return bodies.incrementAndGet();
    }

    @Post("/reactive")
    @IdempotentOperation("secured-reactive")
    Mono<Integer> reactive(@Body @Valid Charge charge) {
        return Mono.fromSupplier(bodies::incrementAndGet);
    }

    /** Covered by configuration, not by an annotation. */
    @Post("/plain")
    @ExecuteOn(TaskExecutors.BLOCKING)
    int plain(@Body @Valid Charge charge) {
        return bodies.incrementAndGet();
    }

    /** The tenant as applications with many of them find it. */
    @Factory
    @Requires(property = "test.secured")
    static class Tenants {
        @Singleton
        TenantResolver tenants() {
            return () -> ServerRequestContext.currentRequest()
                    .map(HttpRequest::getHeaders)
                    .map(headers -> headers.get("X-Tenant"))
                    .orElse(null);
        }
    }
}
