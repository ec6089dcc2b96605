package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /**
     * What the response alone does not say, as a structured field (RFC 8941, a list): {@code ignored} where a request
     * without a key ran unprotected; {@code refused;code=in-progress;executed=unknown;retry=same-key} with every
     * refusal, in whatever representation its body is; and one member per call, {@code executed;op="charge-payment"},
     * where one request came to several idempotent calls.
     */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    private IdempotencyHeaders() {}
}
