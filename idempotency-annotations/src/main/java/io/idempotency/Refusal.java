package io.idempotency;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every kind of refusal, declared once. The exception, the problem document and its description, the client's mapping,
 * the OpenAPI responses and the table in docs/http.md all come from here. The texts are read by callers of other
 * organisations: they name no class, property or annotation.
 */
public enum Refusal {
    /** The operation requires a key and the call has none. */
    KEY_MISSING(
            400,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is missing",
            "The operation needs an idempotency key and the request carries none. Nothing was done.",
            "Send a key that is new for each intent and the same for each retry of it, for instance a random UUID."),
    /** The key cannot be read, or is not in the format that the operation asks for. */
    KEY_INVALID(
            400,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is malformed",
            "The idempotency key cannot be read as one key, or is not in the format that the operation asks for."
                    + " Nothing was done.",
            "Send one key of 1 to 255 printable ASCII characters, bare or as a quoted string, for instance a random"
                    + " UUID."),
    /** Another call with the key is running. */
    IN_PROGRESS(
            409,
            Executed.UNKNOWN,
            Retry.SAME_KEY,
            "A request with this key is in progress",
            "Another request with this key is being worked on. This one did nothing, or was overtaken by it.",
            "Try again with the same key, after the time in Retry-After if there is one."),
    /** The key was used with other arguments. */
    KEY_REUSED(
            422,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is already used with another payload",
            "An earlier request with this key had other content. Nothing was done for this one.",
            "Send the first content again to learn its outcome, or use a new key for a new intent."),
    /** The key was used for another operation of the same namespace. */
    KEY_USED_ELSEWHERE(
            409,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is already used for another operation",
            "This key was used for another operation that shares its keys with this one. Nothing was done.",
            "Use a new key."),
    /** The key belongs to another caller. */
    KEY_FOREIGN(
            403,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key belongs to another caller",
            "Another caller used this key before. Nothing was done for this request.",
            "Use a key of your own, for instance a random UUID."),
    /** An earlier call started the body and its outcome is not known. */
    OUTCOME_UNKNOWN(
            409,
            Executed.UNKNOWN,
            Retry.NEVER,
            "The outcome of the first request is not known",
            "An earlier request with this key was cut off: it may have had its effect, in part or whole. It is not run"
                    + " again.",
            "Look whether the effect is there before you do anything else; a request with a new key may cause it twice."
                    + " An operator can settle the record, and the same key then gets the outcome."),
    /** The body succeeded and its result cannot be given. */
    RESULT_UNAVAILABLE(
            409,
            Executed.YES,
            Retry.NEVER,
            "The request was executed and its result is not available",
            "An earlier request with this key was executed, but its result was not kept or cannot be read any more.",
            "Look the effect up where it happened; do not repeat it."),
    /** The body failed for good. */
    PREVIOUS_ATTEMPT_FAILED(
            409,
            Executed.YES,
            Retry.NEVER,
            "The first request with this key failed",
            "An earlier request with this key ran and failed, and that is its outcome. It is not run again.",
            "It may have had an effect before it failed: find that out before you ask for the same thing with a new"
                    + " key."),
    /** The store could not be asked before the body. */
    STORE_UNAVAILABLE(
            503,
            Executed.NO,
            Retry.SAME_KEY,
            "The idempotency store is not available",
            "The server could not find out whether this key was used before, so it did nothing.",
            "Try again with the same key, after the time in Retry-After if there is one."),
    /** There is no room for a record of a new key, or a limit of new keys is reached. */
    TOO_MANY_RECORDS(
            429,
            Executed.NO,
            Retry.SAME_KEY,
            "The server remembers too many requests",
            "The server has no room to remember another request, so it did not start this one.",
            "Try again with the same key later, after the time in Retry-After if there is one, with fewer new requests"
                    + " at a time."),
    /** The application shuts down and starts no new body. */
    SHUTTING_DOWN(
            503,
            Executed.NO,
            Retry.SAME_KEY,
            "The server shuts down",
            "This server is shutting down and starts nothing new. Nothing was done.",
            "Try again with the same key, after the time in Retry-After if there is one: another server, or this one"
                    + " after its restart, takes it.");

    private final int status;
    private final Executed executed;
    private final Retry retry;
    private final String title;
    private final String happened;
    private final String next;

    Refusal(int status, Executed executed, Retry retry, String title, String happened, String next) {
        this.status = status;
        this.executed = executed;
        this.retry = retry;
        this.title = title;
        this.happened = happened;
        this.next = next;
    }

    /** The kind that a code stands for; empty for a code that this version does not know. */
    public static Optional<Refusal> named(String code) {
        return Arrays.stream(values())
                .filter(refusal -> refusal.code().equals(code))
                .findFirst();
    }

    /** The stable code, for machines: kebab-case, for instance {@code in-progress}. */
    public String code() {
        return IdempotencyException.kebabCase(this);
    }

    /** The HTTP status, 400 to 599, unless a deployment configures another one. */
    public int status() {
        return status;
    }

    /** Whether the body ran. */
    public Executed executed() {
        return executed;
    }

    /** What a caller may do next. */
    public Retry retry() {
        return retry;
    }

    /** What happened, in a line. */
    public String title() {
        return title;
    }

    /** What happened and whether anything was done, in one or more sentences. */
    public String happened() {
        return happened;
    }

    /** What the caller does next, in one or more sentences. */
    public String next() {
        return next;
    }

    /**
     * Makes the exception of this kind.
     *
     * @param keyHash the key's hash, null when there is no usable key
     * @param message what happened, whether the body ran, and what to do next: for logs and operators
     * @param retryAfter when trying again is worth it, positive; of no meaning unless the same key may be tried again
     */
    public IdempotencyException exception(
            String operation,
            @Nullable String keyHash,
            String message,
            Duration retryAfter,
            @Nullable Throwable cause) {
        return switch (this) {
            case KEY_MISSING -> new MissingIdempotencyKeyException(operation, keyHash, message, cause);
            case KEY_INVALID -> new InvalidIdempotencyKeyException(operation, keyHash, message, cause);
            case KEY_REUSED -> new IdempotencyKeyReusedException(operation, keyHash, message, cause);
            case OUTCOME_UNKNOWN -> new OutcomeUnknownException(operation, keyHash, message, cause);
            case RESULT_UNAVAILABLE -> new ResultUnavailableException(operation, keyHash, message, cause);
            case PREVIOUS_ATTEMPT_FAILED ->
                new PreviousAttemptFailedException(operation, keyHash, message, "unknown", null, null, cause);
            case IN_PROGRESS -> new OperationInProgressException(operation, keyHash, message, retryAfter, cause);
            case STORE_UNAVAILABLE ->
                new IdempotencyStoreUnavailableException(operation, keyHash, message, retryAfter, cause);
            case SHUTTING_DOWN -> new ApplicationShuttingDownException(operation, keyHash, message, retryAfter, cause);
            case TOO_MANY_RECORDS -> new TooManyRecordsException(operation, keyHash, message, retryAfter, cause);
            case KEY_USED_ELSEWHERE, KEY_FOREIGN ->
                new IdempotencyException(this, operation, keyHash, message, retryAfter, cause);
        };
    }

    /** The exception of this kind, after which trying again may be worth it in a second. */
    public IdempotencyException exception(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        return exception(operation, keyHash, message, IdempotencyException.SOON, cause);
    }
}
