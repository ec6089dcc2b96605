package io.idempotency.runtime.http.client;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time. */
@Singleton
@Requires(classes = HttpClient.class)
final class ScheduledRetryTimer implements RetryTimer {

    private final ScheduledThreadPoolExecutor scheduler;
    private final ExecutorService blocking;

    ScheduledRetryTimer(
            @Named("idempotency") ScheduledThreadPoolExecutor scheduler,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.scheduler = scheduler;
        this.blocking = blocking;
    }

    @Override
    public void pause(Duration delay) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        Future<?> scheduled = scheduler.schedule(() -> blocking.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }
}
