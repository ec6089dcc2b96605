package io.idempotency.runtime.http.client;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes every delay and lets none pass. */
@Singleton
@Replaces(RetryTimer.class)
@Requires(property = "test.timer")
class RecordingTimer implements RetryTimer {

    final List<Duration> delays = new CopyOnWriteArrayList<>();

    @Override
    public void pause(Duration delay) {
        delays.add(delay);
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        delays.add(delay);
        CompletableFuture<Void> run = CompletableFuture.runAsync(task);
        return () -> run.cancel(false);
    }
}
