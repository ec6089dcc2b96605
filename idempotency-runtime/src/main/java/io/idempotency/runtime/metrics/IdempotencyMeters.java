package io.idempotency.runtime.metrics;

import io.idempotency.OnStoreFailure;
import io.idempotency.Refusal;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.purge.PurgeListener;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Counts and times what happens: what calls come to, what becomes of claims, and what is purged. */
@Singleton
@Requires(beans = Meters.class)
final class IdempotencyMeters implements OutcomeListener, PurgeListener {

    private final Meters meters;

    IdempotencyMeters(Meters meters) {
        this.meters = meters;
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        meters.timer(Meter.CALLS, call.operation(), call.store(), outcome.label())
                .record(call.took());
        if (outcome.recorded() == Outcome.Recorded.DEGRADED) {
            meters.counter(Meter.DEGRADED, call.operation(), call.store()).increment();
        }
    }

    @Override
    public void onUnprotected(String operation) {
        meters.counter(Meter.UNPROTECTED, operation).increment();
    }

    @Override
    public void onClaim(Claimed claim, ClaimChange change) {
        meters.counter(meterOf(change), claim.operation(), claim.store()).increment();
    }

    @Override
    public void onPurged(String store, int records) {
        meters.counter(Meter.PURGED, store).increment(records);
    }

    @Override
    public void onBatch(String store, Duration took) {
        meters.timer(Meter.PURGE_BATCHES, store).record(took);
    }

    @Override
    public void onRun(String store, Duration took) {
        meters.timer(Meter.PURGE, store).record(took);
    }

    @EventListener
    void onRecordsMayBeMissing(RecordsMayBeMissing found) {
        meters.counter(Meter.RECORDS_MISSING, found.store()).increment();
    }

    /** From now on they are there: an alert sees no rise of a counter that begins with its first event. */
    void show(Operation shown) {
        String operation = shown.name();
        String store = shown.store().name();
        if (shown.policy().onStoreFailure() == OnStoreFailure.PROCEED) {
            meters.timer(Meter.CALLS, operation, store, Outcome.PROCEEDED);
        }
        meters.timer(Meter.CALLS, operation, store, Refusal.TOO_MANY_RECORDS.code());
        meters.counter(Meter.DEGRADED, operation, store);
        meters.counter(Meter.UNPROTECTED, operation);
        meters.counter(Meter.PURGED, store);
        meters.counter(Meter.RECORDS_MISSING, store);
        for (ClaimChange change : ClaimChange.values()) {
            meters.counter(meterOf(change), operation, store);
        }
    }

    private static Meter meterOf(ClaimChange change) {
        return switch (change) {
            case LEASE_LOST -> Meter.LEASES_LOST;
            case NOT_RENEWED -> Meter.NOT_RENEWED;
            case RENEWED_LATE -> Meter.RENEWED_LATE;
            case OUTCOME_STALE -> Meter.STALE;
        };
    }
}
