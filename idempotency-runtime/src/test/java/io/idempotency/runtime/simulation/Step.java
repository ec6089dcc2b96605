package io.idempotency.runtime.simulation;

/** Where something can go wrong: each call of the store, and each use of what surrounds the engine. */
enum Step {
    CLAIM,
    RENEW,
    COMPLETE,
    FAIL,
    RELEASE,
    DOUBT,
    FIND,
    /** An operator settles a record in doubt. */
    RESOLVE,
    /** A caller that waits begins to listen to the store. */
    LISTEN,
    RECONCILE,
    BODY,
    BODY_END,
    /** A result is encoded. */
    ENCODE,
    /** The timer is asked for a delay. */
    TIMER,
    /** An executor is given a task. */
    THREAD
}
