package io.idempotency.runtime;

/** What an exception of a body says about its effect. */
public enum Effect {
    /** Proven that there was none: the next call may run. */
    NONE,
    /** The body decided to fail, and that is its outcome. */
    FINAL,
    /** The body was cut off: it is not known how far it came. */
    UNKNOWN
}
