package io.idempotency;

import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import java.time.Duration;
import java.util.Optional;

/**
 * What a running body can ask about its own claim. Safe to use from any thread that Micronaut's propagated context reaches.
 */
public interface IdempotencyContext extends PropagatedContextElement {

    /**
     * Returns the context of the innermost operation that runs here.
     *
     * @throws IllegalStateException outside an idempotent operation
     */
    static IdempotencyContext current() {
        return find().orElseThrow(() -> new IllegalStateException("No idempotent operation is running here. Call"
                + " IdempotencyContext.current() from the body of an @IdempotentOperation method, on a thread that"
                + " carries Micronaut's propagated context."));
    }

    /** Returns the context of the innermost operation that runs here; empty outside an idempotent operation. */
    static Optional<IdempotencyContext> find() {
        return PropagatedContext.getOrEmpty().find(IdempotencyContext.class);
    }

    /**
     * Tells whether a claim keeps every other call with the same key from running the body. False with
     * {@code idempotency.enabled: false}, for a call without an optional key, while the store cannot be reached
     * ({@link OnStoreFailure#PROCEED}), and in a {@link Reloads} method: there a retry runs the body again.
     */
    boolean isProtected();

    /** Returns the operation's name, never empty. */
    String operation();

    /**
     * Returns the hash under which the key is recorded and logged: 64 hexadecimal digits, random for a call without a key.
     */
    String keyHash();

    /**
     * Returns the fencing token of this claim, a positive number that rises with every claim of the same key: a downstream system
     * that remembers the highest one can refuse a stale owner. It is 0 where {@link #isProtected()} is false.
     */
    long fence();

    /** Returns which attempt at the body this is: 1 for the first, more after a take-over or a reconciled absence. */
    int attempt();

    /** Returns how long the claim lasts if it is not renewed again; zero when the lease has ended or is lost. */
    Duration remainingLease();

    /**
     * Tells whether another owner has taken this claim over, or an operator has settled it. The body should stop then, because its
     * result will not be recorded.
     */
    boolean leaseLost();

    /**
     * Runs an action once the loss of the claim becomes known, or at once if it is: for instance to interrupt the thread of a body
     * that waits for long.
     *
     * @param action runs at most once, on a thread of the library that it must not block; what it throws is ignored
     */
    void onLeaseLost(Runnable action);

    /**
     * Derives a key of 64 hexadecimal digits for a downstream call from this operation's own key: the same on every attempt,
     * different for every name. A call without a key, or with {@code idempotency.enabled: false}, gets random keys, one for
     * each name, so that the downstream system does not recognise a retry.
     *
     * @param name tells several downstream calls of one body apart, for instance {@code psp}
     */
    String deriveKey(String name);

    /**
     * Derives a key as {@link #deriveKey(String)} does, for a call that asks for something, so that one key never stands for two intents.
     *
     * @param intent what the call asks for, compared with {@code equals}
     * @throws IllegalStateException when this run of the body already took the name's key for another intent
     */
    String deriveKey(String name, Object intent);

    /**
     * Declares that the body had no effect. If it throws, the claim is released and the next call may run; if it
     * returns, the result goes to this caller alone.
     */
    void noEffect();
}
