package io.idempotency.runtime.metrics;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one store said last. One question at a time, however long it takes. Thread-safe. */
final class StoreSample {

    /** More are not counted: the gauge says this number then. An operator has work enough. */
    static final int MOST_IN_DOUBT = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(StoreSample.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * What is known.
     *
     * @param up 1 or 0; not a number before the first answer, as the others are while the store does not answer
     * @param records about how many there are; not a number where the store does not know
     * @param inDoubt how many of them are in doubt
     */
    record Known(double up, double records, double inDoubt) {
        private static final Known DOWN = new Known(0, Double.NaN, Double.NaN);
    }

    private final IdempotencyStore store;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile long askedNanos;
    private volatile Known now = new Known(Double.NaN, Double.NaN, Double.NaN);

    StoreSample(IdempotencyStore store) {
        this.store = store;
    }

    Known now() {
        return now;
    }

    /** Asks on one of these threads, unless a question is under way. */
    void ask(Executor threads) {
        if (!asking.compareAndSet(false, true)) {
            if (System.nanoTime() - askedNanos > PATIENCE.toNanos()) {
                now = Known.DOWN;
            }
            return;
        }
        askedNanos = System.nanoTime();
        try {
            threads.execute(this::ask);
        } catch (RejectedExecutionException e) {
            asking.set(false);
        }
    }

    private void ask() {
        Known known = Known.DOWN;
        try {
            int inDoubt = store.list(RecordState.IN_DOUBT, Duration.ZERO, MOST_IN_DOUBT)
                    .size();
            known = known(store.approximateSize(), inDoubt);
        } catch (RuntimeException e) {
            LOG.debug("Store '{}' did not answer how many records it has", store.name(), e);
        } finally {
            now = known;
            asking.set(false);
        }
    }

    private static Known known(OptionalLong records, int inDoubt) {
        return new Known(1, records.isPresent() ? records.getAsLong() : Double.NaN, inDoubt);
    }
}
