package io.idempotency.runtime.metrics;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.purge.PurgeListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Locale;

/**
 * Counts what calls come to, {@code idempotency.calls{operation,outcome}}, and what is purged,
 * {@code idempotency.purged{store}}. An outcome is {@code executed}, {@code replayed}, {@code failed-none},
 * {@code failed-final}, {@code failed-unknown},
 * {@code unprotected} (no key), {@code proceeded} (the store could not be reached) or the code of a refusal.
 */
@Singleton
@Requires(classes = MeterRegistry.class)
@Requires(beans = MeterRegistry.class)
final class IdempotencyMeters implements OutcomeListener, PurgeListener {

    private static final String CALLS = "idempotency.calls";
    private static final String PURGED = "idempotency.purged";

    private final MeterRegistry registry;

    IdempotencyMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onOutcome(String operation, Outcome outcome) {
        count(operation, name(outcome));
    }

    @Override
    public void onUnprotected(String operation) {
        count(operation, "unprotected");
    }

    @Override
    public void onPurged(String store, int records) {
        registry.counter(PURGED, "store", store).increment(records);
    }

    private void count(String operation, String outcome) {
        registry.counter(CALLS, "operation", operation, "outcome", outcome).increment();
    }

    private static String name(Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused) {
            return refused.reason().code();
        } else if (outcome.recorded() == Outcome.Recorded.UNPROTECTED) {
            return "proceeded";
        } else if (outcome instanceof Outcome.Threw threw) {
            return "failed-" + threw.effect().name().toLowerCase(Locale.ROOT);
        }
        return outcome instanceof Outcome.Executed ? "executed" : "replayed";
    }
}
