package io.idempotency.runtime.simulation;

import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.SteppedTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The time of one run, in which its threads wait: one of them runs at a time. */
final class Timeline implements ElapsedTime {

    /** By then even what is tried again and again has come to an end. */
    private static final Duration LONGEST_REST = Duration.ofHours(2);

    private static final int MOST_EVENTS = 50_000;

    private final SteppedTime time;

    /**
     * Nothing is to happen yet.
     *
     * @param escaped gets what an event throws
     */
    Timeline(Consumer<Throwable> escaped) {
        this.time = new SteppedTime(escaped);
    }

    /** One in which what happens within a moment may happen in any order. */
    Timeline(Consumer<Throwable> escaped, SteppedTime.Order order) {
        this.time = new SteppedTime(escaped, order, Schedules.MOMENT.toNanos());
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void await(CompletableFuture<?> event, long nanos) {
        time.await(event, nanos);
    }

    /** How many events there were: two runs of one seed have the same number. */
    int happened() {
        return time.happened();
    }

    SteppedTime.Event after(Duration delay, @Nullable Node node, Runnable action) {
        return time.after(delay.toNanos(), node, action);
    }

    /** Lets everything happen, until nothing is left to happen. False when there is no end of it. */
    boolean rest() {
        long begun = time.nanos();
        boolean ends = time.pass(LONGEST_REST.toNanos(), MOST_EVENTS) && time.pending() == 0;
        time.back(begun);
        return ends;
    }

    /** The calling thread is held up for so long, and for as long as its node stands still. */
    void block(Duration span) {
        time.await(new CompletableFuture<>(), span.toNanos());
    }

    /** Lets time pass in which nothing is to happen. */
    void pass(Duration span) {
        time.pass(span.toNanos(), MOST_EVENTS);
    }

    void close() {
        time.close();
    }
}
