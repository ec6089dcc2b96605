package io.idempotency.runtime;

/** What an exception of a body says about the body's effect, the worst last. */
public enum Effect {
    /** Proven that there was no effect: the next call may run the body. */
    NONE,
    /** The body decided to fail, and that is its outcome. */
    FINAL,
    /** The body was cut off, and how far it came is not known. */
    UNKNOWN
}
