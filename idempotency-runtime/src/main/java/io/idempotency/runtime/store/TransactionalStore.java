package io.idempotency.runtime.store;

import java.time.Duration;

/**
 * Transactions that a store's records can share with the body's own writes. A crash or an exception that undoes the
 * writes undoes the record too, so the body's writes in that database happen exactly once.
 */
public interface TransactionalStore {

    /** The work of a transaction. */
    @FunctionalInterface
    interface Work<T> {
        /**
         * Does the work.
         *
         * @param store the store in the transaction: its methods commit nothing
         * @throws Exception rolls the transaction back, and is thrown on unchanged
         */
        T in(IdempotencyStore store) throws Exception;
    }

    /** Returns the name of the data source of the transactions. */
    String dataSource();

    /** Tells whether calls outside of a transaction never wait for a connection that the caller's transaction holds. */
    boolean hasOwnConnections();

    /**
     * Runs work in a transaction and commits it. Joins the caller's transaction if there is one, whose commit then
     * decides. A claim of a key that another, uncommitted transaction has claimed waits for that transaction.
     *
     * @param lockTimeout how long such a claim waits, not negative
     * @throws RollbackOnlyException when the work returned, and the transaction was rolled back because it was marked so
     * @throws KeyLockedException when a claim waited that long; nothing of the transaction remains
     * @throws Exception what the work threw; or why the commit failed, and then it may or may not have been committed
     */
    <T> T inTransaction(Duration lockTimeout, Work<T> work) throws Exception;

    /** Thrown when the work returned and had marked its transaction, so that nothing of it remains. */
    final class RollbackOnlyException extends RuntimeException {

        /** Takes the exception for the caller. */
        public RollbackOnlyException(RuntimeException cause) {
            super(cause);
        }
    }

    /** Thrown when another transaction has claimed the key and is not over. */
    final class KeyLockedException extends RuntimeException {

        /** Describes the lock. */
        public KeyLockedException(Throwable cause) {
            super("The key is claimed by a transaction that is not over", cause);
        }
    }
}
