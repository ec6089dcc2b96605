package io.idempotency.runtime.simulation;

/** What can go wrong at a step. */
enum Fault {
    /** The node is gone, without a word; what it has sent may still arrive. */
    CRASH,
    /** The node stands still for longer than a lease, then goes on as if nothing had been. */
    PAUSE,
    /** What was asked never arrives. */
    REQUEST_LOST,
    /** What was asked is done, and nobody hears of it. */
    REPLY_LOST,
    /** The answer takes up to two leases. */
    LATE_REPLY,
    /** What was asked arrives once more, up to two leases later; or the caller sends its request again. */
    DUPLICATE,
    /** The store removes what is expired. */
    PURGE,
    /** The store is away for a while, and its records are there afterwards. */
    STORE_RESTART,
    /** The store's clock is set, forward or back. */
    CLOCK_STEP,
    /** An {@code Error} is thrown there. */
    ERROR,
    /** The node's executors take no task for a while. */
    THREAD_REFUSED,
    /** The node is shut down. */
    SHUTDOWN
}
