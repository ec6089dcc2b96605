package io.idempotency;

/**
 * What a key means when another caller uses it too. The caller is the authenticated user or the one that the application names; a
 * job or a message has none. The tenant always tells keys apart, whatever is chosen here.
 */
public enum OtherCallers {
    /**
     * Decided by the origin of the key. A client chose the key in a header, and two clients may choose the same text for
     * different things: {@link #ISOLATE}. The application chose every other key, and it names one thing of the business,
     * such as an order, which is to be done once for all callers: {@link #SHARE}.
     */
    DEFAULT,
    /** One key for all callers: the body runs once, and every caller gets its outcome. */
    SHARE,
    /** Every caller has keys of its own: the same text is another key, and the body runs once for each caller. */
    ISOLATE,
    /** A key belongs to the caller who used it first; every other one is refused and never sees the outcome. */
    FORBID
}
