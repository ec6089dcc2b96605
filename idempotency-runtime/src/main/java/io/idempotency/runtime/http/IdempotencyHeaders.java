package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /**
     * What became of the request's idempotent calls, as a structured field (RFC 8941, a list): {@code executed;key=settled},
     * {@code key=free} or {@code key=in-doubt} with a first answer, {@code executed;degraded} where it is not recorded yet; {@code ignored} where a
     * request without a key ran unprotected; {@code refused;code=in-progress;executed=unknown;retry=same-key} with every refusal, in whatever
     * representation its body is; and one member per call, {@code executed;op="charge-payment"}, where one request came to several.
     */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    /**
     * What a replay repeats, as a structured field (RFC 9651, a list of strings): the first digits of the record's id, by which
     * logs and operators find the first call; {@code at}, when that call claimed the key; {@code expires}, when its outcome is
     * forgotten: {@code "2ad66481";at=@1763790000;expires=@1763876400}.
     */
    public static final String IDEMPOTENCY_ORIGINAL = "Idempotency-Original";

    private IdempotencyHeaders() {}
}
