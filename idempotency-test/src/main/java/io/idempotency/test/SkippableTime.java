package io.idempotency.test;

import io.idempotency.runtime.engine.ElapsedTime;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Real time plus the time that a test has skipped. Thread-safe. */
@Singleton
@Replaces(ElapsedTime.class)
@Requires(property = TestKitProperties.ENABLED, value = "true")
final class SkippableTime implements ElapsedTime {

    private final AtomicLong skipped = new AtomicLong();
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return System.nanoTime() + skipped.get();
    }

    /** Waits for the event, for the time to pass, or for a skip, after which the caller looks at the time again. */
    @Override
    public void await(CompletableFuture<?> event, long nanos) throws InterruptedException {
        long begun = nanos();
        CompletableFuture<Object> skip = new CompletableFuture<>();
        Runnable look = () -> skip.complete(null);
        looks.add(look);
        try {
            ElapsedTime.super.await(CompletableFuture.anyOf(event, skip), nanos - (nanos() - begun));
        } finally {
            looks.remove(look);
        }
    }

    @Override
    public void whenSkipped(Runnable look) {
        looks.add(look);
    }

    void skip(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("Time does not go back, not even by " + duration);
        }
        skipped.addAndGet(duration.toNanos());
        looks.forEach(Runnable::run);
    }
}
