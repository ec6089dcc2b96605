package io.idempotency.integration.paused;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A payment whose process may stand still. */
@Singleton
@Requires(property = "test.paused.payment")
class PausedPayment {

    /** A body that has to last until a renewal has come to the gate. */
    private static final String RENEWAL = "_RENEW";

    private final Optional<Gate> gate;
    private final AtomicInteger runs = new AtomicInteger();
    private volatile CountDownLatch ends = new CountDownLatch(0);

    PausedPayment(Optional<Gate> gate) {
        this.gate = gate;
    }

    @IdempotentOperation(
            value = "paused-payment",
            key = "key",
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "2m",
            lease = "3s")
    String pay(String key) throws InterruptedException {
        runs.incrementAndGet();
        if (gate.isPresent()) {
            Gate here = gate.get();
            boolean renewal = here.isFor("BEFORE" + RENEWAL) || here.isFor("AFTER" + RENEWAL);
            here.at("BODY");
            if (renewal) {
                here.awaitPassed();
            }
        }
        ends.await();
        return "paid";
    }

    /** From now on bodies last until {@link #end}. */
    void hold() {
        ends = new CountDownLatch(1);
    }

    void end() {
        ends.countDown();
    }

    int runs() {
        return runs.get();
    }
}
