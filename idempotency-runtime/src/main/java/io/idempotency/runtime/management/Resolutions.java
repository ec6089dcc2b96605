package io.idempotency.runtime.management;

import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.OperationBinder.Bound;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;

/** Converts an operator's decision to a store's resolution. */
@Singleton
final class Resolutions {

    /** Stands for an exception's type. The reason is in the audit trail, not for callers. */
    private static final String FAILED = "settled by an operator";

    private static final StoredResult UNKNOWN = new StoredResult.Omitted("an operator settled it without a result", -1);

    private static final int LONGEST_REASON = 200;

    private final OperationBinder operations;
    private final Duration retention;

    Resolutions(OperationBinder operations, IdempotencyConfiguration configuration) {
        this.operations = operations;
        this.retention = configuration.getRetention();
    }

    Resolution of(StoredRecord record, Decision decision) {
        Duration kept = operations
                .named(record.operation())
                .map(bound -> bound.operation().policy().retention())
                .orElse(retention);
        return switch (decision.outcome()) {
            case COMPLETED -> new Resolution.Complete(result(record, decision), kept);
            case FAILED -> new Resolution.Fail(new StoredFailure(FAILED, null, null), kept);
            case ABSENT -> new Resolution.Forget();
            case ERASED ->
                throw new IllegalArgumentException(
                        "a record is settled as completed, failed or absent. Its data are erased by erase");
        };
    }

    private StoredResult result(StoredRecord record, Decision decision) {
        byte[] json = decision.resultJson();
        Bound bound = operations.named(record.operation()).orElse(null);
        if (json == null) {
            return bound != null
                            && bound.definition().method() != null
                            && bound.definition().resultType().isVoid()
                    ? new StoredResult.Present(bound.operation().stored(record.id(), new byte[0]))
                    : UNKNOWN;
        }
        if (bound == null) {
            throw new IllegalArgumentException("this application has no operation '" + record.operation()
                    + "', so the result cannot be checked. Settle it where the operation is, or without a result");
        }
        byte[] encoded = encoded(bound, json);
        int most = bound.operation().policy().maxResultSize();
        if (encoded.length > most) {
            throw new IllegalArgumentException(
                    "the result of operation '" + record.operation() + "' has " + encoded.length
                            + " bytes, more than the " + most + " of max-result-size. Settle it without a result");
        }
        return new StoredResult.Present(bound.operation().stored(record.id(), encoded));
    }

    /** Encodes the result. Shortens a mapper's message, which may repeat all of the input. */
    private static byte[] encoded(Bound bound, byte[] json) {
        try {
            return bound.operation().codec().encodeJson(json);
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            throw new IllegalArgumentException(
                    "the result does not fit operation '" + bound.definition().name() + "': "
                            + (why.length() > LONGEST_REASON ? why.substring(0, LONGEST_REASON) + "…" : why),
                    e);
        }
    }
}
