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
     * The context of the innermost operation that runs here.
     *
     * @throws IllegalStateException outside an idempotent operation
     */
    static IdempotencyContext current() {
        return find().orElseThrow(() -> new IllegalStateException("No idempotent operation is running here. Call"
                + " IdempotencyContext.current() from the body of an @IdempotentOperation method, on a thread that"
                + " carries Micronaut's propagated context."));
    }

    /** The context of the innermost operation that runs here; empty outside an idempotent operation. */
    static Optional<IdempotencyContext> find() {
        return PropagatedContext.getOrEmpty().find(IdempotencyContext.class);
    }

    /**
     * Whether a claim keeps every other call with the same key from running the body. Where this is false, a retry of
     * the caller runs the body again: with {@code idempotency.enabled: false}, for a call without an optional key, for a
     * body that runs although the store could not be reached ({@link OnStoreFailure#PROCEED}), and in a {@link Reloads}
     * method.
     */
    boolean isProtected();

    /** The operation's name, never empty. */
    String operation();

    /**
     * The hash under which the key is recorded and logged, 64 hexadecimal digits; random ones for a call without a key. It never
     * gives the key away.
     */
    String keyHash();

    /**
     * The fencing token of this claim, a positive number. It rises with every claim of the same key, so a downstream system that
     * remembers the highest one it saw can refuse a stale owner. It is 0 where there is no claim: for a body that runs although
     * the store could not be reached ({@link OnStoreFailure#PROCEED}), in a {@link Reloads} method, and where
     * {@link #isProtected()} is false.
     */
    long fence();

    /** Which attempt at the body this is: 1 for the first, more after a take-over or a reconciled absence. */
    int attempt();

    /** How long the claim still stands if it is not renewed again: zero when the lease is over or lost. */
    Duration remainingLease();

    /**
     * Whether another owner has taken this claim over, or an operator has settled it. A body that learns this should stop: what
     * it returns will not be recorded.
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
     * A key of 64 hexadecimal digits for a downstream call, derived from this operation's own key, so that a chain of calls stays
     * idempotent: the same on every attempt, different for every name.
     *
     * <p>A call without a key, and every call with {@code idempotency.enabled: false}, has nothing to derive it from and
     * gets a random one for each name: the same whenever this one call asks for the name again, never the same in two
     * calls. A retry of the caller is another call then, and the downstream system does not recognise it.
     *
     * @param name tells several downstream calls of one body apart, for instance {@code psp}
     */
    String deriveKey(String name);

    /**
     * {@link #deriveKey(String)} for a call that asks for something, so that one key never stands for two intents.
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
