package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /** The outcomes of the request's idempotent calls, a structured list (RFC 8941); docs/http.md has its members. */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    /** The first calls that a replay repeats, a structured list (RFC 9651); docs/http.md has its members. */
    public static final String IDEMPOTENCY_ORIGINAL = "Idempotency-Original";

    private IdempotencyHeaders() {}
}
