package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Delays of which most are cancelled. */
class SparingTimerTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final AtomicInteger wakeUps = new AtomicInteger();
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            wakeUps.incrementAndGet();
            return super.schedule(task, delay, unit);
        }
    };
    private final SparingTimer timer = new SparingTimer(scheduler, System::nanoTime);

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theSchedulerIsWokenOnceForAThousandDelaysThatAreCancelled() {
        for (int i = 0; i < 1000; i++) {
            timer.after(LONG, () -> {}).run();
        }
        assertThat(wakeUps).hasValue(1);
    }

    @Test
    void whatIsDueEarlierRunsEarlier() throws InterruptedException {
        List<String> ran = new ArrayList<>();
        CountDownLatch both = new CountDownLatch(2);
        timer.after(LONG, () -> ran.add("much later"));
        timer.after(SHORT.multipliedBy(3), () -> {
            ran.add("second");
            both.countDown();
        });
        timer.after(SHORT, () -> {
            ran.add("first");
            both.countDown();
        });
        await(both);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void whatComesAfterACancelledDelayStillRuns() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(2);
        Runnable cancel = timer.after(SHORT, () -> {
            throw new AssertionError("cancelled");
        });
        timer.after(SHORT.multipliedBy(2), ran::countDown);
        timer.after(SHORT.multipliedBy(3), ran::countDown);
        cancel.run();
        await(ran);
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
    void aTaskThatFailsDoesNotKeepOthersFromRunning() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(2);
        timer.after(SHORT, () -> {
            ran.countDown();
            throw new IllegalStateException("on purpose");
        });
        timer.after(SHORT, ran::countDown);
        await(ran);
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
    void aSchedulerThatIsShutDownRejectsWhatItWouldNotRun() {
        timer.after(LONG, () -> {});
        scheduler.shutdownNow();
        assertThatThrownBy(() -> timer.after(LONG.multipliedBy(2), () -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }
}
