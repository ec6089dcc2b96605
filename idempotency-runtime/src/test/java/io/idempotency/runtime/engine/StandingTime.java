package io.idempotency.runtime.engine;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands still until it is skipped: however long a busy machine takes between two lines of a test, nothing becomes due. Applications have
 * it with the property {@code test.standing-time}.
 */
@Singleton
@Replaces(ElapsedTime.class)
@Requires(property = "test.standing-time")
public final class StandingTime implements ElapsedTime {

    private final AtomicLong nanos = new AtomicLong();
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void whenSkipped(Runnable look) {
        looks.add(look);
    }

    @Override
    public void await(CompletableFuture<?> event, long span) throws InterruptedException {
        long begun = nanos.get();
        CompletableFuture<Object> over = new CompletableFuture<>();
        Runnable look = () -> {
            if (nanos.get() - begun >= span) {
                over.complete(null);
            }
        };
        looks.add(look);
        try {
            look.run();
            ElapsedTime.super.await(CompletableFuture.anyOf(event, over), Long.MAX_VALUE);
        } finally {
            looks.remove(look);
        }
    }

    public void skip(Duration duration) {
        nanos.addAndGet(duration.toNanos());
        looks.forEach(Runnable::run);
    }
}
