package io.idempotency.runtime.call;

import io.idempotency.IdempotencyContext;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The context of a body that runs unprotected. It has no key, so derived keys are random: with a common key, one of two
 * calls would pass for a retry of the other downstream.
 */
public final class UnprotectedContext implements IdempotencyContext {

    private final String operation;
    private final String hash = random();
    private final Map<Downstream, String> keys = new ConcurrentHashMap<>(0);

    /** Creates the context of one call. */
    public UnprotectedContext(String operation) {
        this.operation = operation;
    }

    private record Downstream(String name, @Nullable Object intent) {}

    private static String random() {
        return (UUID.randomUUID().toString() + UUID.randomUUID()).replace("-", "");
    }

    @Override
    public boolean isProtected() {
        return false;
    }

    @Override
    public String operation() {
        return operation;
    }

    @Override
    public String keyHash() {
        return hash;
    }

    @Override
    public long fence() {
        return 0;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remainingLease() {
        return Duration.ZERO;
    }

    @Override
    public boolean leaseLost() {
        return false;
    }

    /** Does nothing: there is no claim to lose. */
    @Override
    public void onLeaseLost(Runnable action) {}

    @Override
    public String deriveKey(String name) {
        return keys.computeIfAbsent(new Downstream(name, null), unknown -> random());
    }

    /** Returns a different key for different arguments, so it never has to refuse them. */
    @Override
    public String deriveKey(String name, Object intent) {
        return keys.computeIfAbsent(new Downstream(name, intent), unknown -> random());
    }

    /** Does nothing: no outcome is recorded. */
    @Override
    public void noEffect() {}
}
