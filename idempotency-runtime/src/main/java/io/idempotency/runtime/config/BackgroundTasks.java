package io.idempotency.runtime.config;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work of the library at intervals, on the blocking executor, until the application stops. An exception of one run
 * does not end the schedule. Thread-safe.
 */
@Singleton
public final class BackgroundTasks {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTasks.class);

    private final TaskScheduler scheduler;
    private final ExecutorService blocking;
    private final List<ScheduledFuture<?>> scheduled = new CopyOnWriteArrayList<>();
    private final Set<Object> running = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopped = new CountDownLatch(1);

    BackgroundTasks(TaskScheduler scheduler, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.scheduler = scheduler;
        this.blocking = blocking;
    }

    /** Schedules work after the properties are checked and the operations bound: before that there are no stores. */
    public interface Starter extends ApplicationEventListener<StartupEvent>, Ordered {

        @Override
        default int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    /** Returns a random part of an interval, so that nodes that start together do not work at the same time. */
    public static Duration partOf(Duration interval) {
        return Duration.ofMillis(
                (long) (interval.toMillis() * ThreadLocalRandom.current().nextDouble()));
    }

    /** Schedules work at intervals. The task should only call {@link #run}. */
    public void every(Duration first, Duration interval, Runnable task) {
        scheduled.add(scheduler.scheduleWithFixedDelay(first, interval, task));
    }

    /** Schedules work at the times of a cron expression. The task should only call {@link #run}. */
    public void at(String cron, Runnable task) {
        scheduled.add(scheduler.schedule(cron, task));
    }

    /** Runs work on the blocking executor, unless earlier work for the subject has not ended; the log names it. */
    public void run(Object subject, String what, Runnable work) {
        if (!running.add(subject)) {
            return;
        }
        try {
            blocking.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException | Error e) {
                    report(what, e);
                } finally {
                    running.remove(subject);
                }
            });
        } catch (RuntimeException | Error e) { // the executor has no thread
            running.remove(subject);
            report(what, e);
        }
    }

    private void report(String what, Throwable failure) {
        if (stopped.getCount() > 0) {
            LOG.warn("{} failed; it is tried again at the next interval", what, failure);
        }
    }

    /** Pauses work; returns false when the application stops, and the work must end. */
    public boolean pause(Duration span) {
        try {
            return !stopped.await(span.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @PreDestroy
    void stop() {
        stopped.countDown();
        scheduled.forEach(task -> task.cancel(false));
    }
}
