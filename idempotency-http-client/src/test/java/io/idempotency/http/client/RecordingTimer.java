package io.idempotency.http.client;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Notes every delay and lets none pass, but holds asynchronous callers up while it is told to. */
@Singleton
@Replaces(RetryLoop.Timer.class)
@Requires(property = "test.timer", value = "true")
class RecordingTimer extends RetryLoop.Timer {

    final List<Duration> delays = new CopyOnWriteArrayList<>();
    final AtomicInteger cancelled = new AtomicInteger();
    volatile CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

    volatile boolean interrupts;

    RecordingTimer() {
        super(null);
    }

    /** Returns the attempts of a call that was sent with a key, of which no delay passes. */
    static RetryLoop loop(int retries) {
        LogicalCall call = LogicalCall.explicit("psp", "k");
        call.sends("POST /", "k");
        RemoteRefusals refusals = new RemoteRefusals(JsonMapper.createDefault());
        return new RetryLoop(
                call, new RetryPolicy(refusals, retries, Duration.ZERO, Duration.ZERO, 1, 0), new RecordingTimer());
    }

    @Override
    void pause(Duration delay) throws InterruptedException {
        delays.add(delay);
        if (interrupts) {
            throw new InterruptedException();
        }
    }

    @Override
    Mono<?> after(Duration delay) {
        delays.add(delay);
        return Mono.fromFuture(open.thenApplyAsync(opened -> true), true).doOnCancel(cancelled::incrementAndGet);
    }
}
