package io.idempotency.http.client;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Lets the time between two attempts pass. Thread-safe. */
@Singleton
@Requires(classes = HttpClient.class)
class RetryTimer {

    private final TaskScheduler timer;
    private final Executor blocking;

    RetryTimer(TaskScheduler timer, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.timer = timer;
        this.blocking = blocking;
    }

    /** Holds a blocking caller up. */
    void pause(Duration delay) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }

    /** Runs a task later, on a thread that may block; the result cancels it. */
    Runnable after(Duration delay, Runnable task) {
        ScheduledFuture<?> planned = timer.schedule(delay, () -> blocking.execute(task));
        return () -> planned.cancel(false);
    }
}
