package io.idempotency.runtime.engine;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.call.RunningCall;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** The claim of a running body. Its lease counts from before the claim was sent, so it never outlasts the store's. */
final class ActiveClaim implements RunningCall {

    private final Invocation call;
    private final Ownership ownership;
    private final int attempt;
    private final ExecutionServices services;

    private final Map<String, Object> intents = new ConcurrentHashMap<>(0); // empty in most calls
    private final CompletableFuture<@Nullable Void> loss = new CompletableFuture<>();
    private volatile long sentNanos;
    private volatile long leaseEndNanos;
    private volatile boolean settling;

    /** How many renewals failed in a row. Read and written by one sweep at a time. */
    private volatile int notRenewed;

    private volatile boolean lost;
    private volatile boolean noEffect;
    private final AtomicReference<Effect> retried = new AtomicReference<>(Effect.NONE);
    private volatile Runnable doubtful = () -> {};

    ActiveClaim(Invocation call, Ownership ownership, int attempt, long sentNanos, ExecutionServices services) {
        this.call = call;
        this.ownership = ownership;
        this.attempt = attempt;
        this.services = services;
        renewed(sentNanos);
    }

    /** Returns a claim that holds nothing, for code that runs without one. Its fence is below every real fence. */
    static ActiveClaim none(Invocation call, ExecutionServices services) {
        long now = services.time().nanos();
        ActiveClaim none = new ActiveClaim(call, new Ownership(call.id(), "none", 0), 1, now, services);
        none.leaseEndNanos = now;
        return none;
    }

    Invocation call() {
        return call;
    }

    Ownership ownership() {
        return ownership;
    }

    Operation.Policy policy() {
        return call.operation().policy();
    }

    ExecutionServices services() {
        return services;
    }

    Failures failures() {
        return new Failures(this);
    }

    /** Returns the lease. A transaction's claim cannot be lost: no other call sees it before the transaction ends. */
    long leaseNanos() {
        return policy().transactional() ? Long.MAX_VALUE / 2 : policy().lease().toNanos();
    }

    /** Returns when the claim or its last applied renewal was sent, by the engine's clock. */
    long sentNanos() {
        return sentNanos;
    }

    /** Extends the lease after the store has applied a renewal that was sent at the given time. */
    void renewed(long sent) {
        sentNanos = sent;
        leaseEndNanos = sent + leaseNanos();
        notRenewed = 0;
    }

    /** Marks the outcome as being recorded: from now on only the store knows the state of the key. */
    void settles() {
        settling = true;
    }

    boolean isSettling() {
        return settling;
    }

    void lose() {
        lost = true;
        doubtful.run();
    }

    /** Returns a future that the caller of {@link #lose()} completes, on a thread that the body's actions may use. */
    CompletableFuture<@Nullable Void> loss() {
        return loss;
    }

    /** Counts a failed renewal; returns how many failed in a row. After the lease duplicates ask the store. */
    int failedToRenew() {
        if (remainingLease().isZero()) {
            doubtful.run();
        }
        return ++notRenewed;
    }

    /** Sets the action to run when the claim stops protecting the key although its body still runs. */
    void whenDoubtful(Runnable action) {
        doubtful = action;
    }

    @Override
    public void retried(Throwable failure) {
        Effect effect = failures().effect(failure, Effect.NONE);
        retried.accumulateAndGet(effect, BinaryOperator.maxBy(Comparator.naturalOrder()));
    }

    @Override
    public Throwable answerFor(Throwable thrown) {
        return failures().answerFor(thrown);
    }

    /** Returns the worst effect of the attempts that the body retried. */
    Effect ofRetried() {
        return Objects.requireNonNull(retried.get());
    }

    /** Forgets what the reconciler declared and called: it says nothing about the body, which begins now. */
    void bodyBegins() {
        noEffect = false;
        retried.set(Effect.NONE);
        intents.clear();
    }

    boolean declaredNoEffect() {
        return noEffect;
    }

    StoredResult encoded(@Nullable Object value) {
        return ResultEncoder.of(call.operation(), call.id(), value);
    }

    @Override
    public boolean isProtected() {
        return ownership.fence() > 0;
    }

    @Override
    public String operation() {
        return call.operation().name();
    }

    @Override
    public String keyHash() {
        return call.id().value();
    }

    @Override
    public long fence() {
        return ownership.fence();
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Duration remainingLease() {
        long remaining = lost ? 0 : leaseEndNanos - services.time().nanos();
        return remaining > 0 ? Duration.ofNanos(remaining) : Duration.ZERO;
    }

    @Override
    public boolean leaseLost() {
        return lost;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for the action
    public void onLeaseLost(Runnable action) {
        loss.thenRun(action);
    }

    @Override
    public String deriveKey(String name) {
        return services.derivedKeys().apply(call.id(), name);
    }

    @Override
    public String deriveKey(String name, Object intent) {
        Object first = intents.putIfAbsent(name, intent);
        if (first != null && !first.equals(intent)) {
            throw new IllegalStateException("Operation '" + operation() + "' already made a call named '" + name
                    + "' that differs from this one, and both would send the same derived key. This call was not made. Give"
                    + " each its own key: an @IdempotencyKey parameter, key = \"#{…}\", or another name in"
                    + " @SendsIdempotencyKey.");
        }
        return deriveKey(name);
    }

    @Override
    public void noEffect() {
        noEffect = true;
    }
}
