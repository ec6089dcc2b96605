package io.idempotency.runtime.store;

/**
 * Puts a store in front of each store that an operation uses: declare a bean of this type. The front store decides
 * whether it forwards {@link IdempotencyStore#transactional()} and {@link IdempotencyStore#signals()}. With several
 * beans the first in Micronaut's order is the innermost.
 */
@FunctionalInterface
public interface StoreDecorator {

    /**
     * Returns the store that operations use instead, possibly the same. Called once for each store, when an operation
     * first uses that store.
     */
    IdempotencyStore decorate(IdempotencyStore store);
}
