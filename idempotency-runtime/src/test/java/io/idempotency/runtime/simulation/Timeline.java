package io.idempotency.runtime.simulation;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time on one thread: what happens is a queue of events in the order of their moments. An event that blocks lets the
 * others happen meanwhile, on top of its own stack.
 */
final class Timeline {

    /** By then even what is tried again and again has come to an end. */
    private static final Duration LONGEST_REST = Duration.ofHours(2);

    private static final int MOST_EVENTS = 50_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong((Event event) -> event.dueNanos).thenComparingLong(event -> event.number));
    private final Consumer<Throwable> escaped;
    private long nanos;
    private long numbered;
    private int happened;

    /**
     * Nothing is to happen yet.
     *
     * @param escaped gets what an event throws
     */
    Timeline(Consumer<Throwable> escaped) {
        this.escaped = escaped;
    }

    /** Something that will happen at a node, or at none. */
    static final class Event {
        private final long number;
        private final @Nullable Node node;
        private final Runnable action;
        private long dueNanos;
        private boolean cancelled;

        private Event(long dueNanos, long number, @Nullable Node node, Runnable action) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.node = node;
            this.action = action;
        }

        void cancel() {
            cancelled = true;
        }
    }

    long nanos() {
        return nanos;
    }

    /** How many events there were: two runs of one seed have the same number. */
    int happened() {
        return happened;
    }

    Event after(Duration delay, @Nullable Node node, Runnable action) {
        Event event = new Event(nanos + Math.max(0, delay.toNanos()), ++numbered, node, action);
        events.add(event);
        return event;
    }

    /** Lets everything happen, until nothing is left to happen. False when there is no end of it. */
    boolean rest() {
        long end = nanos + LONGEST_REST.toNanos();
        while (next(end)) {
            if (happened > MOST_EVENTS) {
                return false;
            }
        }
        return events.stream().allMatch(event -> event.cancelled);
    }

    /** The calling event blocks for so long, and for as long as its node stands still. */
    void block(Duration span, Node node) {
        long end = nanos + span.toNanos();
        do {
            while (happened <= MOST_EVENTS && next(end)) {}
            nanos = Math.max(nanos, end);
            end = node.pausedUntilNanos();
        } while (end > nanos);
    }

    /** Lets time pass in which nothing is to happen. */
    void pass(Duration span) {
        nanos += span.toNanos();
    }

    private boolean next(long end) {
        Event next = events.peek();
        if (next == null || next.dueNanos > end) {
            return false;
        }
        events.poll();
        if (next.cancelled || next.node != null && next.node.gone()) {
            return true;
        }
        nanos = Math.max(nanos, next.dueNanos);
        if (next.node != null && next.node.pausedUntilNanos() > nanos) {
            next.dueNanos = next.node.pausedUntilNanos();
            events.add(next);
            return true;
        }
        happen(next);
        return true;
    }

    @SuppressWarnings("CatchingUnchecked") // a thread's last words, whatever they are
    private void happen(Event event) {
        happened++;
        try {
            event.action.run();
        } catch (Throwable e) {
            escaped.accept(e);
        }
    }
}
