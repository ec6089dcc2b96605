package io.idempotency.http.client;

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
@Requires(property = "test.timer", value = "true")
class RecordingTimer implements RetryTimer {

    final List<Duration> delays = new CopyOnWriteArrayList<>();
    volatile CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

    volatile boolean interrupts;

    @Override
    public void pause(Duration delay) throws InterruptedException {
        delays.add(delay);
        if (interrupts) {
            throw new InterruptedException();
        }
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        delays.add(delay);
        CompletableFuture<Void> run = open.thenRunAsync(task);
        return () -> run.cancel(false);
    }
}
