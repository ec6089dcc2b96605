package io.idempotency.runtime.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by {@link IdempotencyStore#claim}, or failing its stage, for a key that the store does not know and has no room for.
 * Nothing was claimed. What the store knows is found, and what finishes work is taken all the same.
 */
public final class StoreFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes the limit.
     *
     * @param problem which limit it is, and how to raise it, for operators
     * @param cause what the store's server said, if anything
     */
    public StoreFullException(String problem, @Nullable Throwable cause) {
        super(problem, cause);
    }
}
