package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /**
     * The outcomes of the request's idempotent calls, as a structured field (RFC 8941, a list):
     * {@code executed;key=settled}, {@code key=free} or {@code key=in-doubt} with a first answer,
     * {@code executed;degraded} if that is not recorded yet; {@code ignored} if a request without a key ran
     * unprotected; {@code refused;code=in-progress;executed=unknown;retry=same-key} with every refusal, whatever the
     * media type of its body; and one member per call, {@code executed;op="charge-payment"}, if one request made
     * several.
     */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    /**
     * The first call that a replay repeats, as a structured field (RFC 9651, a list of strings): the first digits of
     * the record's id, by which logs and operators find that call; {@code at}, when that call claimed the key;
     * {@code expires}, when its outcome expires: {@code "2ad66481";at=@1763790000;expires=@1763876400}.
     */
    public static final String IDEMPOTENCY_ORIGINAL = "Idempotency-Original";

    private IdempotencyHeaders() {}
}
