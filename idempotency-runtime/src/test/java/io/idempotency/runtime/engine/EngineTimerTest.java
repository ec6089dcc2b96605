package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EngineTimerTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final EngineTimer timer = new EngineTimer(System::nanoTime);

    @AfterEach
    void stop() {
        timer.close();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** It looks about once a second whether or not there is anything to do. */
    @Test
    void delaysThatAreCancelledWakeNobody() {
        Awaitility.await().until(() -> timer.rounds() > 0);
        long rounds = timer.rounds();
        long begun = System.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            timer.after(Duration.ofSeconds(10), () -> {}).run();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertThat(timer.rounds() - rounds).isLessThan(seconds + 5);
    }

    /** What is due before the next look has to wake the thread; what is due later than that does not wake it again. */
    @Test
    void manyShortDelaysWakeItOnceForEachLook() {
        Awaitility.await().until(() -> timer.rounds() > 0);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long rounds = timer.rounds();
        long pauses = threads.getThreadInfo(timer.threadId()).getWaitedCount();
        while (timer.rounds() - rounds < 40) {
            timer.after(Duration.ofMillis(500), () -> {}).run();
        }
        assertThat(threads.getThreadInfo(timer.threadId()).getWaitedCount() - pauses)
                .isLessThan(5 * 41);
    }

    /** It does not look all the time for what is not due. */
    @Test
    void untilSomethingIsDueItSleeps() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        timer.after(Duration.ofMillis(400), ran::countDown);
        long rounds = timer.rounds();
        await(ran);
        assertThat(timer.rounds() - rounds).isLessThan(20);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("idempotency-timer"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }

    @Test
    void whatIsRepeatedCanBeCancelled() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        AtomicInteger more = new AtomicInteger();
        Runnable cancel = timer.every(SHORT, () -> {
            twice.countDown();
            more.incrementAndGet();
            return true;
        });
        await(twice);
        cancel.run();
        CountDownLatch later = new CountDownLatch(1);
        timer.after(SHORT, () -> {
            more.set(0); // one that had begun is over by now
            timer.after(SHORT.multipliedBy(5), later::countDown);
        });
        await(later);
        assertThat(more).hasValue(0);
    }

    @Test
    void whatIsDueEarlierRunsEarlier() throws InterruptedException {
        StandingTime time = new StandingTime();
        try (EngineTimer standing = new EngineTimer(time)) {
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch first = new CountDownLatch(1);
            CountDownLatch second = new CountDownLatch(1);
            standing.after(LONG, () -> ran.add("much later"));
            standing.after(SHORT.multipliedBy(10), () -> {
                ran.add("second");
                second.countDown();
            });
            standing.after(SHORT, () -> {
                ran.add("first");
                first.countDown();
            });
            time.skip(SHORT);
            await(first);
            assertThat(ran).containsExactly("first");
            time.skip(SHORT.multipliedBy(10));
            await(second);
            assertThat(ran).containsExactly("first", "second");
        }
    }

    @Test
    void whatComesAfterACancelledDelayStillRuns() throws InterruptedException {
        StandingTime time = new StandingTime();
        try (EngineTimer standing = new EngineTimer(time)) {
            CountDownLatch ran = new CountDownLatch(2);
            AtomicInteger cancelled = new AtomicInteger();
            Runnable cancel = standing.after(SHORT, cancelled::incrementAndGet);
            standing.after(SHORT.multipliedBy(2), ran::countDown);
            standing.after(SHORT.multipliedBy(3), ran::countDown);
            cancel.run();
            time.skip(SHORT.multipliedBy(3));
            await(ran);
            assertThat(cancelled).hasValue(0);
        }
    }

    @Test
    void aTaskMayAskForTheNextOne() throws InterruptedException {
        CountDownLatch three = new CountDownLatch(3);
        timer.after(SHORT, new Runnable() {
            @Override
            public void run() {
                three.countDown();
                timer.after(SHORT, this);
            }
        });
        await(three);
    }

    @Test
    void whatIsRepeatedGoesOnWhateverItThrowsAndUntilItSaysSo() throws InterruptedException {
        CountDownLatch enough = new CountDownLatch(5);
        AtomicInteger more = new AtomicInteger();
        timer.every(Duration.ofMillis(1), () -> {
            if (enough.getCount() == 0) {
                more.incrementAndGet();
                return false;
            }
            enough.countDown();
            throw new OutOfMemoryError("made by a test");
        });
        await(enough);
        Awaitility.await().until(() -> more.get() == 1);
        CountDownLatch after = new CountDownLatch(3);
        timer.every(Duration.ofMillis(1), () -> {
            after.countDown();
            return true;
        });
        await(after);
        assertThat(more).hasValue(1);
    }

    /** Without memory even the logger fails. */
    @Test
    void anErrorThatCannotEvenBeLoggedDoesNotKeepOthersFromRunning() throws InterruptedException {
        AppenderBase<ILoggingEvent> broken = new AppenderBase<>() {
            @Override
            public synchronized void doAppend(ILoggingEvent event) {
                append(event);
            }

            @Override
            protected void append(ILoggingEvent event) {
                throw new OutOfMemoryError("made by a test");
            }
        };
        broken.start();
        Logger logger = (Logger) LoggerFactory.getLogger(EngineTimer.class);
        logger.addAppender(broken);
        try {
            CountDownLatch ran = new CountDownLatch(2);
            timer.after(SHORT, () -> {
                ran.countDown();
                throw new StackOverflowError();
            });
            timer.after(SHORT.multipliedBy(2), ran::countDown);
            await(ran);
        } finally {
            logger.detachAppender(broken);
        }
    }

    @Test
    void manyThreadsAtOnceLoseNothing() throws InterruptedException {
        int threads = 8;
        int each = 500;
        CountDownLatch kept = new CountDownLatch(threads * each);
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        for (int j = 0; j < each; j++) {
                            timer.after(LONG, () -> {}).run();
                            timer.after(Duration.ofMillis(j % 7), kept::countDown);
                        }
                    })
                    .start();
        }
        await(kept);
    }

    @Test
    void aTimerThatIsClosedRejectsWhatItWouldNotRun() {
        timer.after(LONG, () -> {});
        timer.close();
        assertThatThrownBy(() -> timer.after(SHORT, () -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> timer.every(SHORT, () -> true)).isInstanceOf(RejectedExecutionException.class);
    }
}
