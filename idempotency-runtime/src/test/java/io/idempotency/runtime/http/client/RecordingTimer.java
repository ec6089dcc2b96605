package io.idempotency.runtime.http.client;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes every delay and lets none pass, but holds asynchronous callers up while it is told to. */
@Singleton
@Replaces(RetryTimer.class)
@Requires(property = "test.timer")
class RecordingTimer implements RetryTimer {

    final List<Duration> delays = new CopyOnWriteArrayList<>();
    volatile CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

    @Override
    public void pause(Duration delay) {
        delays.add(delay);
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        delays.add(delay);
        CompletableFuture<Void> run = open.thenRunAsync(task);
        return () -> run.cancel(false);
    }
}
