package io.idempotency.jdbc;

import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.Sql.Param;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Threads that take turns, and the clock by which they do. */
final class TurnTakers {

    static final Sql STATEMENT = Sql.parse("UPDATE a");
    static final Sql ANOTHER = Sql.parse("UPDATE b");
    static final Sql LOOK = Sql.parse("SELECT a");
    static final int POOL = 4;
    static final int CROWD = 6;

    private static final long MILLISECOND = 1_000_000;

    private final AtomicLong step = new AtomicLong(MILLISECOND);
    private final AtomicLong time = new AtomicLong();
    private final List<FutureTask<Boolean>> asked = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable Thread slow;
    private volatile CountDownLatch goesOn = new CountDownLatch(0);
    private volatile @Nullable Thread dying;

    final Turns turns;

    /** With a limit so long that nobody is impatient. */
    TurnTakers() {
        this(Duration.ofHours(10));
    }

    TurnTakers(Duration limit) {
        turns = new Turns("the pool", "", () -> POOL, CROWD, limit, this::now);
    }

    /** Each look at it is a millisecond later, so that whoever waits is always due; until this is called: then nobody ever is. */
    void stopTheClock() {
        step.set(0);
    }

    void pass(Duration span) {
        time.addAndGet(span.toNanos());
    }

    /** Long after the crowd has gone. */
    void aSecondPasses() {
        pass(Duration.ofSeconds(1));
    }

    /** Those that have asked, each in a thread of its own. */
    List<Caller<Object>> callers(int count, @Nullable Sql statement) throws Exception {
        List<Caller<Object>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(caller("key" + asked.size(), statement));
        }
        return all;
    }

    Caller<Object> caller(@Nullable String id, @Nullable Sql statement) throws Exception {
        FutureTask<Caller<Object>> made =
                new FutureTask<>(() -> new Caller<>(statement, new Values().with(Param.ID, (Object) id)));
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            made.run();
            return turns.take(made.get());
        });
        Thread thread = new Thread(task);
        thread.start();
        asked.add(task);
        threads.add(thread);
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> thread.getState() == Thread.State.TIMED_WAITING || task.isDone());
        return made.get();
    }

    Thread thread(int number) {
        return threads.get(number);
    }

    /** Their turns, or their answers. */
    void awaitAll() throws Exception {
        for (FutureTask<Boolean> each : asked) {
            each.get();
        }
    }

    /** It stands still at its next look at the clock, until it {@link #goesOn}. */
    void slowDown(int number) {
        goesOn = new CountDownLatch(1);
        slow = threads.get(number);
    }

    void goesOn() {
        slow = null;
        goesOn.countDown();
    }

    /** It dies of an Error when it looks at the clock. */
    void dies(int number) throws InterruptedException {
        Thread thread = threads.get(number);
        dying = thread;
        thread.interrupt();
        thread.join();
    }

    private long now() {
        Thread current = Thread.currentThread();
        if (current == dying) {
            throw new StackOverflowError("of this test");
        }
        if (current == slow) {
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return time.addAndGet(step.get());
    }
}
