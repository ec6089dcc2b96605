package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.ResultRejectedException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators are told of a {@link RetryQueue}. Thread-safe. */
final class RetryReports {

    private static final Logger LOG = LoggerFactory.getLogger(RetryQueue.class);

    private final IdempotencyStore store;

    RetryReports(IdempotencyStore store) {
        this.store = store;
    }

    void full() {
        LOG.error(
                "Store '{}' is away, and what it has still to be told reached {} calls or {} bytes. Of further calls"
                        + " that ran only that is kept, without their results; of calls that it did not answer nothing"
                        + " is kept: their claims, where it did apply them, end in doubt.",
                store.name(),
                KeptMessages.MOST_KEPT,
                KeptMessages.MOST_BYTES);
    }

    /** The stack trace once: it is the same one all through an outage. */
    void failed(RetryQueue.Message message, Throwable failure, boolean first, Duration pause) {
        if (message.weight() == RetryQueue.Weight.DISPENSABLE && !first) {
            return;
        }
        LOG.warn(
                "Idempotent operation '{}' [key {}]: store '{}' could not record what became of the call; trying"
                        + " again in {}{}",
                message.operation(),
                message.id(),
                store.name(),
                pause,
                first ? "" : ": " + Failures.text(failure),
                first ? failure : null);
    }

    void withoutResult(RetryQueue.Message message, Throwable failure) {
        LOG.error(
                "Idempotent operation '{}' [key {}]: store '{}' can never hold the result; it is recorded that the body"
                        + " ran, without its result: {}",
                message.operation(),
                message.id(),
                store.name(),
                Failures.text(failure),
                shown(failure));
    }

    void givenUp(RetryQueue.Message message, Throwable failure) {
        LOG.error(
                "Idempotent operation '{}' [key {}]: store '{}' cannot record what became of the call, and it is"
                        + " not tried again. Duplicates are refused as in progress, then as outcome unknown,"
                        + " until an operator settles the record.",
                message.operation(),
                message.id(),
                store.name(),
                shown(failure));
    }

    /** A database that rejects a value may quote it. */
    private static @Nullable Throwable shown(Throwable failure) {
        return failure instanceof ResultRejectedException ? Textless.of(failure) : failure;
    }
}
