package io.idempotency.runtime.answer;

import io.idempotency.runtime.UnfaithfulResultException;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredResult;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encodes results for their records. The effect has happened, so a result that cannot be encoded is left out. */
public final class ResultEncoder {

    private static final Logger LOG = LoggerFactory.getLogger(ResultEncoder.class);
    private static final int MAX_REASON = 500;

    private ResultEncoder() {}

    /** Encodes a result; it is omitted if it cannot be encoded or is too large. */
    public static StoredResult of(Operation operation, RecordId id, @Nullable Object value) {
        try {
            byte[] encoded = operation.codec().encode(value);
            byte[] bytes = operation.stored(id, encoded);
            int most = operation.policy().maxResultSize();
            return encoded.length == 0 || bytes.length <= most // there is nothing in what an encrypted nothing takes
                    ? new StoredResult.Present(bytes)
                    : omitted(
                            operation,
                            id,
                            "it has " + bytes.length + " bytes and idempotency.max-result-size is " + most,
                            bytes.length,
                            null);
        } catch (UnfaithfulResultException e) {
            return unfaithful(operation, id, e);
        } catch (UnkeptResultException e) {
            return omitted(operation, id, String.valueOf(e.getMessage()), -1, null);
        } catch (Throwable e) { // a codec may throw anything: class cast, stack overflow, out of memory
            return omitted(
                    operation, id, "it could not be encoded: " + e.getClass().getName(), -1, e);
        }
    }

    /** Encodes a failure with its answer; empty when that is too large, and the failure is recorded alone. */
    public static Optional<StoredResult> of(Operation operation, RecordId id, RecordedFailure failure) {
        byte[] bytes = operation.seal().seal(id, failure.encoded());
        return bytes.length <= operation.policy().maxResultSize()
                ? Optional.of(new StoredResult.Present(bytes))
                : Optional.empty();
    }

    /** Logs once for each class, because only a change of the code helps. */
    private static StoredResult unfaithful(Operation operation, RecordId id, UnfaithfulResultException problem) {
        String reason = RecordedFailure.shortened(String.valueOf(problem.getMessage()), MAX_REASON);
        if (problem.first()) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: {}. The body ran and its caller got the result, but this result and"
                            + " all others of its kind are not stored: duplicates get ResultUnavailableException. Return"
                            + " exactly the declared type, give its parts concrete types that JSON can read back and no"
                            + " @JsonIgnore, and declare a sealed type with @JsonTypeInfo; or write a @Reloads(\"{}\")"
                            + " method that finds the result.",
                    operation.name(),
                    id,
                    reason,
                    operation.name(),
                    RedactedThrowable.of(problem.getCause()));
        }
        return new StoredResult.Omitted(reason, -1);
    }

    /** Encodes a result and records it, or records that it is omitted if the store can never hold it. */
    public static Settled recorded(
            Operation operation, RecordId id, @Nullable Object value, Function<StoredResult, Settled> record) {
        StoredResult result = of(operation, id, value);
        try {
            return record.apply(result);
        } catch (ResultRejectedException e) {
            long size = result instanceof StoredResult.Present present ? present.bytes().length : -1;
            return record.apply(omitted(operation, id, "the store rejected it: " + e.getMessage(), size, e));
        }
    }

    private static StoredResult omitted(
            Operation operation, RecordId id, String reason, long size, @Nullable Throwable cause) {
        LOG.warn(
                "Idempotent operation '{}' [key {}]: the result is not stored: {}. Duplicates are told that the body ran"
                        + " and get no result.",
                operation.name(),
                id,
                reason,
                RedactedThrowable.of(cause));
        return new StoredResult.Omitted(RecordedFailure.shortened(reason, MAX_REASON), size);
    }
}
