package io.idempotency.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time in which real threads run one at a time. What happens is a queue of events in the order of their moments; a thread that
 * waits, or sleeps, lets the others happen meanwhile and goes on in an event of its own. The order is the same in every run. The thread
 * that asks for time to pass is held up until it has.
 */
public final class SteppedTime {

    /** Of threads that belong to no test any more, and wait for the next one. */
    private static final ExecutorService THREADS = threads();

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final int MOST_IDLE = 4;
    private static final long FOR_EVER = Long.MAX_VALUE;

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong((Event event) -> event.dueNanos).thenComparingLong(event -> event.number));
    private final Consumer<Throwable> escaped;
    private final Order order;
    private final long together;
    private final ThreadLocal<@Nullable Runner> ofThisThread = new ThreadLocal<>();
    private final Deque<Runner> idle = new ArrayDeque<>();
    private final Set<Runner> waiting = new LinkedHashSet<>();
    private volatile long nanos;
    private volatile long lastNanos;
    private long numbered;
    private volatile int happened;
    private volatile @Nullable Owner owner;
    private volatile Runner controller = new Runner(Thread.currentThread());
    private volatile long untilNanos;
    private int mostHappened = Integer.MAX_VALUE;
    private volatile boolean stuck;
    private volatile boolean over;
    private volatile boolean closed;

    /**
     * Nothing is to happen yet.
     *
     * @param escaped gets what an event throws
     */
    public SteppedTime(Consumer<Throwable> escaped) {
        this(escaped, due -> due.get(0), -1);
    }

    /**
     * Nothing is to happen yet.
     *
     * @param escaped gets what an event throws
     * @param order decides which event is next
     * @param together events are due together when they are no further apart than this, in nanoseconds; negative where the
     *     earliest is always next
     */
    public SteppedTime(Consumer<Throwable> escaped, Order order, long together) {
        this.escaped = escaped;
        this.order = order;
        this.together = together;
    }

    /** Virtual threads where there are any: they change places several times faster. */
    private static ExecutorService threads() {
        if (Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
            return Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(null, task, "stepped", 512 << 10);
                thread.setDaemon(true);
                return thread;
            });
        }
        try {
            return (ExecutorService) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class))
                    .invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("Java " + Runtime.version() + " makes no virtual threads", e);
        }
    }

    /** Goes through many runs on a thread of the same kind as theirs. Throws what that throws. */
    public static void onSuchAThread(Runnable runs) {
        try {
            CompletableFuture.runAsync(runs, THREADS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException runtime ? runtime : e;
        }
    }

    /** Decides what happens next, of what is due together. */
    public interface Order {

        /**
         * Chooses one event.
         *
         * @param due at least one, in the order of their moments
         * @return one of them, or null where nothing is to happen any more
         */
        @Nullable
        Event next(List<Event> due);
    }

    /** Where an event happens. It may stand still, or be gone. */
    public interface Owner {
        boolean gone();

        long pausedUntilNanos();
    }

    /** Something that will happen. */
    public static final class Event {
        private final long number;
        private final @Nullable Owner owner;
        private final @Nullable Runnable action;
        private final @Nullable Runner sleeper;
        private long dueNanos;
        private volatile boolean cancelled;

        private Event(
                long dueNanos,
                long number,
                @Nullable Owner owner,
                @Nullable Runnable action,
                @Nullable Runner sleeper) {
            this.dueNanos = dueNanos;
            this.number = number;
            this.owner = owner;
            this.action = action;
            this.sleeper = sleeper;
        }

        /** Two events of one run have different numbers, and two runs that chose alike have the same ones. */
        public long number() {
            return number;
        }

        /** Null for what happens at no node. */
        public @Nullable Owner owner() {
            return owner;
        }

        public void cancel() {
            cancelled = true;
        }
    }

    /** A thread, which runs only in its turn. */
    private static final class Runner {
        private final Thread thread;
        private volatile boolean turn;

        Runner(Thread thread) {
            this.thread = thread;
        }

        void give() {
            turn = true;
            LockSupport.unpark(thread);
        }

        void take() {
            while (!turn) {
                LockSupport.park(this);
            }
            turn = false;
        }
    }

    /** The end of a thread whose time is over. */
    private static final class Over extends Error {
        private static final long serialVersionUID = 1L;

        Over() {
            super("this run is over", null, false, false);
        }
    }

    public long nanos() {
        return nanos;
    }

    /** How many events there were: two runs of the same have the same number. */
    public int happened() {
        return happened;
    }

    /** Whether the calling thread is one of those that run one at a time. */
    public boolean runsThisThread() {
        return ofThisThread.get() != null;
    }

    /** How many events are to come. */
    public synchronized int pending() {
        return (int) events.stream().filter(event -> !event.cancelled).count();
    }

    public Event after(long delayNanos, @Nullable Owner at, Runnable action) {
        return add(nanos + Math.max(0, delayNanos), at, action, null);
    }

    private synchronized Event add(
            long dueNanos, @Nullable Owner at, @Nullable Runnable action, @Nullable Runner sleeper) {
        Event event = new Event(dueNanos, ++numbered, at, action, sleeper);
        if (!closed) {
            events.add(event);
        }
        return event;
    }

    /** Lets everything happen until a moment; then it is that moment. False where more happens than is to be expected. */
    public boolean pass(long spanNanos, int most) {
        long end = nanos + spanNanos;
        if (runsThisThread()) {
            await(new CompletableFuture<>(), spanNanos);
            return true;
        }
        Runner me = control(end, most);
        next().give();
        me.take();
        boolean allowed = !stuck;
        nanos = allowed ? Math.max(nanos, end) : nanos;
        return allowed;
    }

    private Runner control(long end, int most) {
        Runner me = new Runner(Thread.currentThread());
        controller = me;
        untilNanos = end;
        mostHappened = most;
        stuck = false;
        return me;
    }

    /** Sets the time back to a moment after which nothing happened. */
    public void back(long toNanos) {
        nanos = Math.max(lastNanos, toNanos);
    }

    /** Waits for something, or for some time; the others go on meanwhile. */
    public void await(CompletableFuture<?> event, long spanNanos) {
        if (closed) {
            throw new Over();
        }
        if (event.isDone() || spanNanos <= 0) {
            return;
        }
        Runner mine = ofThisThread.get();
        boolean controls = mine == null;
        Runner me = mine == null ? control(FOR_EVER, mostHappened) : mine;
        Owner here = owner;
        boolean endless = spanNanos > FOR_EVER / 4;
        Event limit = endless ? null : add(nanos + spanNanos, here, null, me);
        AtomicReference<Event> come = new AtomicReference<>();
        event.whenComplete((value, failure) -> {
            Event wake = add(nanos, here, null, me);
            if (!come.compareAndSet(null, wake)) {
                wake.cancel(); // it does not wait any more
            }
        });
        if (controls || !goesOnAtOnce(me)) {
            waiting.add(me);
            next().give();
            me.take();
            waiting.remove(me);
        }
        if (limit != null) {
            limit.cancel();
        }
        Event late = new Event(0, 0, null, null, null);
        Event wake = come.compareAndExchange(null, late); // what completes later adds an event that is cancelled
        if (wake != null) {
            wake.cancel();
        }
        owner = here;
        if (closed) {
            throw new Over();
        }
        if (controls && stuck) {
            throw new AssertionError("This thread waits, and nothing happens any more that could wake it");
        }
    }

    /** Nothing else happens before it goes on, so that no other thread need run meanwhile. */
    private synchronized boolean goesOnAtOnce(Runner me) {
        while (!events.isEmpty() && events.peek().cancelled) {
            events.poll();
        }
        Event next = events.peek();
        if (next == null
                || together >= 0
                || next.sleeper != me
                || next.dueNanos > untilNanos
                || happened >= mostHappened
                || next.owner != null && (next.owner.gone() || next.owner.pausedUntilNanos() > next.dueNanos)) {
            return false;
        }
        events.poll();
        begins(next);
        return true;
    }

    private void begins(Event event) {
        nanos = Math.max(nanos, event.dueNanos);
        lastNanos = nanos;
        happened++;
        event.cancelled = event.sleeper != null;
    }

    /** A thread that lets the events happen. */
    private Runner next() {
        Runner runner = idle.poll();
        return runner == null ? started() : runner;
    }

    private Runner started() {
        CompletableFuture<Runner> started = new CompletableFuture<>();
        THREADS.execute(() -> {
            Runner me = new Runner(Thread.currentThread());
            ofThisThread.set(me);
            started.complete(me);
            me.take();
            try {
                loop(me);
            } finally {
                ofThisThread.remove();
                if (closed) {
                    controller.give();
                }
            }
        });
        return started.join();
    }

    private void loop(Runner me) {
        while (!closed) {
            Event next = nextEvent();
            Runner other = next == null ? controller : next.sleeper;
            if (other == null) {
                happen(next);
            } else if (idle.size() < MOST_IDLE) {
                idle.push(me);
                other.give();
                me.take();
            } else {
                other.give();
                return;
            }
        }
    }

    /** Null when it is the controller's turn. */
    private synchronized @Nullable Event nextEvent() {
        while (happened < mostHappened && !over) {
            Event next = events.peek();
            if (next == null || next.dueNanos > untilNanos) {
                stuck = untilNanos == FOR_EVER;
                return null;
            }
            next = together < 0 ? next : anyOf(dueTogether(next.dueNanos));
            if (next == null) {
                continue;
            }
            events.remove(next);
            Owner at = next.owner;
            if (next.cancelled || at != null && at.gone()) {
                continue;
            }
            nanos = Math.max(nanos, next.dueNanos);
            if (at != null && at.pausedUntilNanos() > nanos) {
                next.dueNanos = at.pausedUntilNanos();
                events.add(next);
                continue;
            }
            begins(next);
            return next;
        }
        stuck = true;
        return null;
    }

    /** What can happen next, in the order of its moments; what cannot happen any more is dropped. */
    private List<Event> dueTogether(long firstNanos) {
        events.removeIf(event -> event.cancelled || event.owner != null && event.owner.gone());
        return events.stream()
                .filter(event -> event.dueNanos - firstNanos <= together && event.dueNanos <= untilNanos)
                .sorted(events.comparator())
                .toList();
    }

    private @Nullable Event anyOf(List<Event> due) {
        if (due.isEmpty()) {
            return null;
        }
        Event next = order.next(due);
        over = next == null;
        return next;
    }

    private void happen(Event event) {
        owner = event.owner;
        try {
            event.action.run();
        } catch (Over e) {
            // nobody is interested any more
        } catch (Throwable e) { // a thread's last words, whatever they are
            escaped.accept(e);
        }
    }

    /** Ends all threads, one after the other. */
    public void close() {
        Runner me = control(0, 0);
        closed = true;
        List<Runner> left = new ArrayList<>(waiting);
        left.addAll(idle);
        for (Runner runner : left) {
            runner.give();
            me.take();
        }
        events.clear();
    }
}
