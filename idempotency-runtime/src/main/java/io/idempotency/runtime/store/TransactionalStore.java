package io.idempotency.runtime.store;

import java.time.Duration;

/**
 * What {@link IdempotencyStore#transactional()} gives: transactions that a store's records can share with the body's own
 * writes. The crash or the exception that undoes the writes undoes the record, so for what is in that database the body
 * happens exactly once.
 */
public interface TransactionalStore {

    /** What happens in the transaction. */
    @FunctionalInterface
    interface Work<T> {
        /**
         * Works.
         *
         * @param store the store, in the transaction: its methods commit nothing
         * @throws Exception rolls the transaction back and is thrown on as it is
         */
        T in(IdempotencyStore store) throws Exception;
    }

    /** The data source whose transactions these are. */
    String dataSource();

    /**
     * Runs work in a transaction and commits it; joins the caller's transaction if there is one, whose commit then
     * decides. A claim of a key that another transaction has claimed and not committed waits for it.
     *
     * @param lockTimeout how long such a claim waits, not negative
     * @throws KeyLockedException when a claim waited that long; nothing of the transaction remains
     * @throws Exception what the work threw, or why it could not be committed: then it is not known whether it was
     */
    <T> T inTransaction(Duration lockTimeout, Work<T> work) throws Exception;

    /** Another transaction has claimed the key and is not over. */
    final class KeyLockedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Describes the lock. */
        public KeyLockedException(Throwable cause) {
            super("The key is claimed by a transaction that is not over", cause);
        }
    }
}
