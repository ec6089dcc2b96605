package io.idempotency.runtime.purge;

import io.idempotency.runtime.engine.DelayTimer;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.Listeners;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/** One run on one store: batch by batch, in the pace that spares its other callers. */
final class PurgeRun {

    /**
     * What runs use.
     *
     * @param time measures batches
     * @param timer ends pauses
     * @param blocking asks stores
     * @param listeners are told
     */
    record Services(ElapsedTime time, DelayTimer timer, Executor blocking, List<PurgeListener> listeners) {}

    private final String store;
    private final IntUnaryOperator purge;
    private final PurgePace pace;
    private final Services services;
    private final long start;
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** A run on the store of that name; its purge is asked for so many records, and answers how many it removed. */
    PurgeRun(String store, IntUnaryOperator purge, PurgePace pace, Services services) {
        this.store = store;
        this.purge = purge;
        this.pace = pace;
        this.services = services;
        this.start = services.time().nanos();
    }

    /** Completes when a batch was not full, or fails. */
    CompletionStage<Void> start() {
        next();
        return over;
    }

    private void next() {
        try {
            services.blocking().execute(this::batch);
        } catch (RuntimeException | Error e) {
            over.completeExceptionally(e);
        }
    }

    private void batch() {
        int asked = pace.size();
        long began = services.time().nanos();
        try {
            int removed = purge.applyAsInt(asked);
            removed(removed, asked, since(began));
        } catch (RuntimeException | Error e) {
            over.completeExceptionally(e);
        }
    }

    private void removed(int records, int asked, Duration took) {
        tell(listener -> listener.onBatch(store, took));
        if (records > 0) {
            tell(listener -> listener.onPurged(store, records));
        }
        if (records >= asked) {
            services.timer().after(pace.pauseAfter(took), this::next);
        } else {
            tell(listener -> listener.onRun(store, since(start)));
            over.complete(null);
        }
    }

    private void tell(Consumer<PurgeListener> news) {
        Listeners.tell(services.listeners(), store, news);
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(services.time().nanos() - nanos);
    }
}
