package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /** {@code ignored} on a response to a request without a key that ran unprotected. */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    private IdempotencyHeaders() {}
}
