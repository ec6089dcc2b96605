package io.idempotency.runtime.http;

/** The header fields of the HTTP profile. */
public final class IdempotencyHeaders {

    /** The request's key. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** {@code true} on a response whose body was recorded by an earlier request. */
    public static final String IDEMPOTENT_REPLAYED = "Idempotent-Replayed";

    /** The outcomes of the request's idempotent calls, a structured list (RFC 8941); docs/for-clients.md has its members. */
    public static final String IDEMPOTENCY_STATUS = "Idempotency-Status";

    /**
     * The first calls that a replay repeats, a structured list of strings (RFC 9651): the first digits of the record's
     * id, by which logs and operators find the call; {@code at}, when it claimed the key, and {@code expires}:
     * {@code "2ad66481";at=@1763790000;expires=@1763876400}.
     */
    public static final String IDEMPOTENCY_ORIGINAL = "Idempotency-Original";

    private IdempotencyHeaders() {}
}
