package io.idempotency.http.server.management;

import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.KeyPolicies;
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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Whether the stores take claims, and what runs unprotected. Switched off by {@code endpoints.health.idempotency.enabled:
 * false}. The application is down when a store is: its operations are refused then.
 */
@Singleton
@Requires(classes = HealthIndicator.class)
@Requires(beans = HealthEndpoint.class)
@Requires(
        property = HealthEndpoint.PREFIX + ".idempotency.enabled",
        value = StringUtils.TRUE,
        defaultValue = StringUtils.TRUE)
final class IdempotencyHealth implements HealthIndicator {

    private static final String NAME = "idempotency";
    private static final int PATIENCE_SECONDS = 5;

    private final OperationBinder operations;
    private final KeyPolicies policies;
    private final boolean enabled;
    private final ExecutorService blocking;

    IdempotencyHealth(
            OperationBinder operations,
            KeyPolicies policies,
            IdempotencyConfiguration configuration,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.operations = operations;
        this.policies = policies;
        this.enabled = configuration.isEnabled();
        this.blocking = blocking;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(this::result, blocking)
                .completeOnTimeout(
                        result(HealthStatus.DOWN, Map.of("problem", "no answer within " + PATIENCE_SECONDS + " s")),
                        PATIENCE_SECONDS,
                        TimeUnit.SECONDS));
    }

    private HealthResult result() {
        Map<String, Object> details = new LinkedHashMap<>();
        if (!enabled) {
            details.put("unprotected", "every operation: idempotency.enabled is false");
            return result(HealthStatus.UP, details);
        }
        Map<String, StoreHealth> stores = new TreeMap<>();
        operations.all().stream()
                .map(bound -> bound.operation().store())
                .distinct()
                .forEach(store -> stores.put(store.name(), health(store)));
        stores.forEach((name, health) -> {
            Map<String, String> shown = new TreeMap<>(health.details());
            shown.put("status", health.usable() ? "UP" : "DOWN");
            details.put(name, shown);
        });
        String withoutKeys = operations.all().stream()
                .map(OperationBinder.Bound::definition)
                .filter(definition -> !policies.of(definition).required())
                .map(definition -> definition.name())
                .sorted()
                .collect(Collectors.joining(", "));
        if (!withoutKeys.isEmpty()) {
            details.put("unprotected", "calls without a key of " + withoutKeys);
        }
        boolean up = stores.values().stream().allMatch(StoreHealth::usable);
        return result(up ? HealthStatus.UP : HealthStatus.DOWN, details);
    }

    private static HealthResult result(HealthStatus status, Map<String, Object> details) {
        return HealthResult.builder(NAME, status).details(details).build();
    }

    private static StoreHealth health(IdempotencyStore store) {
        try {
            return store.health();
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return new StoreHealth(false, Map.of("problem", cause.toString()));
        }
    }
}
