package io.idempotency.runtime.store;

/**
 * Puts a store in front of each store that an operation uses: declare a bean of this type. Such a store decides for itself what it
 * hands on, see {@link IdempotencyStore#transactional()} and {@link IdempotencyStore#signals()}. With several beans the first
 * in Micronaut's order is the innermost.
 */
@FunctionalInterface
public interface StoreDecorator {

    /**
     * Called once for each store, when an operation first uses it.
     *
     * @return the store that operations use instead, possibly the same
     */
    IdempotencyStore decorate(IdempotencyStore store);
}
