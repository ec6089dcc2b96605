package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Real threads. */
class RaceTest {

    private static final int THREADS = 64;
    private static final int ROUNDS = 200;

    @Test
    void ofManyThreadsWithOneKeyExactlyOneRunsTheBody() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Engine engine = Engine.thatStandsStill();
                AtomicInteger executed = new AtomicInteger();
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    outcomes.add(threads.submit(() -> {
                        start.await();
                        return engine.call("k", context -> "result " + executed.incrementAndGet());
                    }));
                }
                start.countDown();
                for (Future<Outcome> outcome : outcomes) {
                    if (outcome.get() instanceof Outcome.Replayed replayed) {
                        assertThat(replayed.value()).isEqualTo("result 1");
                    }
                }
                assertThat(executed).hasValue(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Time stands still, so that a waiter whom nobody wakes is found out. */
    @Test
    void ofManyThreadsThatWaitOnTwoNodesOneAfterTheOtherRunsTheBodyUntilOneHasAnEffect() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Engine here = Engine.thatStandsStill();
                here.whenInProgress = WhenInProgress.WAIT;
                Engine there = here.onAnotherNode();
                AtomicInteger running = new AtomicInteger();
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    Engine node = i % 2 == 0 ? here : there;
                    boolean noEffect = i % 3 != 0;
                    outcomes.add(threads.submit(() -> {
                        start.await();
                        return node.call("k", context -> {
                            String how = running.incrementAndGet() == 1 ? "alone" : "beside another";
                            if (noEffect) {
                                context.noEffect();
                            }
                            running.decrementAndGet();
                            return how;
                        });
                    }));
                }
                start.countDown();
                List<Outcome> all = new ArrayList<>();
                for (Future<Outcome> outcome : outcomes) {
                    all.add(outcome.get(60, TimeUnit.SECONDS));
                }
                assertThat(all)
                        .containsOnlyOnce(new Outcome.Executed("alone", Outcome.Recorded.YES))
                        .isSubsetOf(
                                new Outcome.Executed("alone", Outcome.Recorded.YES),
                                new Outcome.Executed("alone", Outcome.Recorded.RELEASED),
                                new Outcome.Replayed("alone"));
                assertThat(there.store.listeners() + here.store.listeners()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
