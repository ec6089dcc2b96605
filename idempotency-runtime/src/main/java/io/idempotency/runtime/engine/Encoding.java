package io.idempotency.runtime.engine;

import io.idempotency.runtime.UnfaithfulResultException;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is stored of a result. The effect happened: nothing that goes wrong here may forget that. */
final class Encoding {

    private static final Logger LOG = LoggerFactory.getLogger(Encoding.class);
    private static final int MAX_REASON = 500;

    private Encoding() {}

    @SuppressWarnings("CatchingUnchecked") // a codec may throw anything: class cast, stack overflow, out of memory
    static StoredResult of(ActiveClaim claim, @Nullable Object value) {
        Operation operation = claim.call().operation();
        try {
            byte[] bytes = operation.stored(claim.call().id(), operation.codec().encode(value));
            int most = operation.policy().maxResultSize();
            return bytes.length <= most
                    ? new StoredResult.Present(bytes)
                    : omitted(
                            claim,
                            "it has " + bytes.length + " bytes and idempotency.max-result-size is " + most,
                            bytes.length,
                            null);
        } catch (UnfaithfulResultException e) {
            return unfaithful(claim, e);
        } catch (Throwable e) {
            return omitted(claim, "it could not be encoded: " + e.getClass().getName(), -1, e);
        }
    }

    /** Empty when the answer is too large: then the failure is remembered without it. */
    static Optional<StoredResult> of(ActiveClaim claim, RecordedFailure failure) {
        Operation operation = claim.call().operation();
        byte[] bytes = operation.seal().seal(claim.call().id(), failure.encoded());
        return bytes.length <= operation.policy().maxResultSize()
                ? Optional.of(new StoredResult.Present(bytes))
                : Optional.empty();
    }

    /** Once for each class: it is the code that has to be mended, and not a call. */
    private static StoredResult unfaithful(ActiveClaim claim, UnfaithfulResultException problem) {
        String reason = Failures.shortened(String.valueOf(problem.getMessage()), MAX_REASON);
        if (problem.first()) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: {}. The body ran and its caller got the result, but this result and"
                            + " all others of its kind are not stored: duplicates get ResultUnavailableException. Return"
                            + " exactly the declared type, give its parts concrete types that JSON can read back and no"
                            + " @JsonIgnore, and declare a sealed type with @JsonTypeInfo; or write a @Reloads(\"{}\")"
                            + " method that finds the result.",
                    claim.operation(),
                    claim.keyHash(),
                    reason,
                    claim.operation(),
                    problem.getCause());
        }
        return new StoredResult.Omitted(reason, -1);
    }

    /** Of a result that the store can never hold. */
    static StoredResult rejected(ActiveClaim claim, StoredResult result, ResultRejectedException problem) {
        long size = result instanceof StoredResult.Present present ? present.bytes().length : -1;
        return omitted(claim, "the store rejected it: " + problem.getMessage(), size, problem);
    }

    private static StoredResult omitted(ActiveClaim claim, String reason, long size, @Nullable Throwable cause) {
        LOG.warn(
                "Idempotent operation '{}' [key {}]: the result is not stored: {}. Duplicates are told that the body ran"
                        + " and get no result.",
                claim.operation(),
                claim.keyHash(),
                reason,
                Textless.of(cause));
        return new StoredResult.Omitted(Failures.shortened(reason, MAX_REASON), size);
    }
}
