package io.idempotency.http.client;

import io.idempotency.runtime.engine.DelayTimer;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Real time. */
@Singleton
@Requires(classes = HttpClient.class)
final class ScheduledRetryTimer implements RetryTimer {

    private final DelayTimer timer;
    private final ExecutorService blocking;

    ScheduledRetryTimer(DelayTimer timer, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.timer = timer;
        this.blocking = blocking;
    }

    @Override
    public void pause(Duration delay) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        return timer.after(delay, () -> blocking.execute(task));
    }
}
