package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Time that passes when a test says so: the store's clock, the time in which the engine's threads wait, and those threads. What is to
 * happen now happens before the test goes on.
 */
final class VirtualTime implements InstantSource, ElapsedTime, Maintenance, Executor {

    private static final int MOST_AT_ONCE = 2_000_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final boolean standsStill;
    private final SteppedTime time = new SteppedTime(failure -> {
        throw new AssertionError("A task of the engine failed", failure);
    });

    VirtualTime() {
        this(false);
    }

    /** One that stands still is for real threads, which wait until they are woken. */
    VirtualTime(boolean standsStill) {
        this.standsStill = standsStill;
    }

    @Override
    public Instant instant() {
        return START.plusNanos(time.nanos());
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void await(CompletableFuture<?> event, long nanos) {
        if (standsStill) {
            event.join();
        } else {
            time.await(event, nanos);
        }
    }

    @Override
    public void after(IdempotencyStore store, Duration delay, Runnable task) {
        time.after(delay.toNanos(), null, task);
    }

    /** On a thread of its own, as far as it comes without waiting. */
    @Override
    public void execute(Runnable task) {
        time.after(0, null, task);
        settle();
    }

    /** Lets happen what is to happen now. No effect on a thread of the engine, which is one of those things. */
    void settle() {
        if (!standsStill && !time.runsThisThread()) {
            pass(Duration.ZERO);
        }
    }

    /** Lets happen what falls due on the way, each at its own time. */
    void pass(Duration duration) {
        if (!time.pass(duration.toNanos(), time.happened() + MOST_AT_ONCE)) {
            throw new AssertionError("Time stands still: tasks ask for the next one at once, and for ever");
        }
    }

    int pendingTasks() {
        return time.pending();
    }
}
