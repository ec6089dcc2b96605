package io.idempotency.integration.paused;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Where a process says that it has come to a step, and goes on when it is told to. */
@Singleton
@Requires(property = "test.paused")
class Gate {

    private volatile @Nullable String armed;
    private volatile CountDownLatch passed = new CountDownLatch(0);

    void arm(String step) {
        passed = new CountDownLatch(1);
        armed = step;
    }

    void open() {
        passed.countDown();
    }

    boolean isFor(String step) {
        return step.equals(armed);
    }

    void at(String step) {
        if (step.equals(armed)) {
            armed = null;
            PausedNode.answer("at " + step);
            awaitPassed();
        }
    }

    /** Whoever is needed only so that another thread comes to the step. */
    void awaitPassed() {
        try {
            passed.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
