package io.idempotency.http.server.management;

import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreHealth;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Reports whether the stores take claims, and which calls run unprotected. Down when a store is down. */
@Singleton
@Requires(classes = HealthIndicator.class)
@Requires(beans = HealthEndpoint.class)
@Requires(property = HealthEndpoint.PREFIX + ".idempotency.enabled", notEquals = StringUtils.FALSE)
record IdempotencyHealth(
        OperationBinder operations,
        IdempotencyConfiguration configuration,
        @Named(TaskExecutors.BLOCKING) ExecutorService blocking)
        implements HealthIndicator {

    private static final int PATIENCE_SECONDS = 5;

    @Override
    public Publisher<HealthResult> getResult() {
        Map<String, Object> late = Map.of("problem", "no answer within " + PATIENCE_SECONDS + " s");
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(this::result, blocking)
                .completeOnTimeout(result(HealthStatus.DOWN, late), PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private HealthResult result() {
        if (!configuration.isEnabled()) {
            return result(HealthStatus.UP, Map.of("unprotected", "every operation: idempotency.enabled is false"));
        }
        Map<String, Object> details = new TreeMap<>();
        boolean up = true;
        for (IdempotencyStore store : operations.all().stream()
                .map(bound -> bound.operation().store())
                .collect(Collectors.toSet())) { // not what only an operator has looked into
            StoreHealth health = health(store);
            up &= health.usable();
            Map<String, String> shown = new TreeMap<>(health.details());
            shown.put("status", health.usable() ? "UP" : "DOWN");
            details.put(store.name(), shown);
        }
        String withoutKeys = operations.all().stream()
                .filter(bound -> !bound.keys().required())
                .map(bound -> bound.operation().name())
                .sorted()
                .collect(Collectors.joining(", "));
        if (!withoutKeys.isEmpty()) {
            details.put("unprotected", "calls without a key of " + withoutKeys);
        }
        return result(up ? HealthStatus.UP : HealthStatus.DOWN, details);
    }

    private static HealthResult result(HealthStatus status, Map<String, Object> details) {
        return HealthResult.builder("idempotency", status).details(details).build();
    }

    private static StoreHealth health(IdempotencyStore store) {
        try {
            return store.health();
        } catch (RuntimeException e) {
            return new StoreHealth(false, Map.of("problem", String.valueOf(e.getCause() == null ? e : e.getCause())));
        }
    }
}
