package io.idempotency;

/** What a key means that another caller uses too. In neither case does it reach the other caller's result. */
public enum OtherCallers {
    /** Every caller has keys of its own: the same text is another key. */
    ISOLATE,
    /** A key belongs to the caller who used it first; every other one is refused. */
    FORBID
}
