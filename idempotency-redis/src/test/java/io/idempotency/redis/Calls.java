package io.idempotency.redis;

import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What the tests ask of a store, written short. */
final class Calls {

    static final Duration RETENTION = Duration.ofHours(1);

    private Calls() {}

    static RecordId id(String key) {
        return RecordId.of("test", null, null, key);
    }

    /** Where Redis has the record of a key. */
    static String key(String key) {
        String digits = id(key).value();
        return "idempotency:{" + digits.substring(0, 2) + '}' + digits.substring(2);
    }

    static Claim claim(String key) {
        return claim(key, UUID.randomUUID().toString());
    }

    static Claim claim(String key, String owner) {
        return new Claim(id(key), "charge", "fingerprint", owner, Duration.ofSeconds(30), RETENTION, false);
    }

    static Ownership acquired(IdempotencyStore store, Claim claim) {
        return new Ownership(claim.id(), claim.owner(), ((ClaimResult.Acquired) get(store.claim(claim))).fence());
    }

    static StoredResult result(String text) {
        return new StoredResult.Present(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes a call on a thread of its own, and returns when that waits for its answer, or is over. */
    static <T> CompletableFuture<T> waiting(Supplier<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                answer.complete(call.get());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        caller.setDaemon(true);
        caller.start();
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> answer.isDone()
                        || caller.getState() == Thread.State.TIMED_WAITING
                        || caller.getState() == Thread.State.WAITING);
        return answer;
    }

    static <T> T get(T answer) {
        if (answer instanceof Settled.Unanswered unanswered) {
            throw unanswered.failure();
        }
        return answer;
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
