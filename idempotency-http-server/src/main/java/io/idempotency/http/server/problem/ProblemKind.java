package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.micronaut.http.HttpStatus;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Every kind of refusal: its status, and what its document says to people. */
enum ProblemKind {
    KEY_MISSING(
            HttpStatus.BAD_REQUEST,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is missing",
            "The operation needs a key and the request carries none, so nothing was done.",
            "Send the header Idempotency-Key with a value that is new for each intent and the same for each retry of it,"
                    + " for instance a random UUID."),
    KEY_INVALID(
            HttpStatus.BAD_REQUEST,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is malformed",
            "The header Idempotency-Key cannot be read as one key, or not in the format that the operation asks for."
                    + " Nothing was done.",
            "Send one key of 1 to 255 printable ASCII characters, bare or as a quoted string; the detail says what is"
                    + " wrong with this one."),
    KEY_REUSED(
            HttpStatus.UNPROCESSABLE_ENTITY,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is already used with another payload",
            "An earlier request with this key had other content. Nothing was done for this one.",
            "Send the first content again to learn its outcome, or use a new key for a new intent."),
    KEY_USED_ELSEWHERE(
            HttpStatus.CONFLICT,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key is already used for another operation",
            "This key was used for another operation that shares its keys with this one. Nothing was done.",
            "Use a new key."),
    KEY_FOREIGN(
            HttpStatus.FORBIDDEN,
            Executed.NO,
            Retry.NEW_KEY,
            "Idempotency-Key belongs to another caller",
            "Somebody else used this key before. Nothing was done for this request.",
            "Use a key of your own, for instance a random UUID."),
    IN_PROGRESS(
            HttpStatus.CONFLICT,
            Executed.UNKNOWN,
            Retry.SAME_KEY,
            "A request with this key is in progress",
            "An earlier request with this key is being worked on. This one did nothing.",
            "Send the same request with the same key again, not before the time in Retry-After."),
    OUTCOME_UNKNOWN(
            HttpStatus.CONFLICT,
            Executed.UNKNOWN,
            Retry.NEVER,
            "The outcome of the first request is not known",
            "An earlier request with this key was cut off: it may have had its effect, in part or whole. It is not run"
                    + " again.",
            "Look whether the effect is there before you do anything else; a request with a new key may cause it twice."
                    + " An operator can settle the record, and the same key then gets the outcome."),
    RESULT_UNAVAILABLE(
            HttpStatus.CONFLICT,
            Executed.YES,
            Retry.NEVER,
            "The request was executed and its result is not available",
            "An earlier request with this key was executed, but its result was not kept or cannot be read any more.",
            "Look the effect up where it happened. Do not ask for it again."),
    PREVIOUS_ATTEMPT_FAILED(
            HttpStatus.CONFLICT,
            Executed.YES,
            Retry.NEVER,
            "The first request with this key failed",
            "An earlier request with this key ran and failed, and that is its outcome. It is not run again.",
            "Find out what it did before it failed; only then ask for the same thing with a new key."),
    STORE_UNAVAILABLE(
            HttpStatus.SERVICE_UNAVAILABLE,
            Executed.NO,
            Retry.SAME_KEY,
            "The idempotency store is not available",
            "The server could not find out whether this key was used before, so it did nothing.",
            "Send the same request with the same key again, not before the time in Retry-After."),
    SHUTTING_DOWN(
            HttpStatus.SERVICE_UNAVAILABLE,
            Executed.NO,
            Retry.SAME_KEY,
            "The server shuts down",
            "This server starts nothing new any more, so nothing was done.",
            "Send the same request with the same key again, not before the time in Retry-After: another server, or the next"
                    + " one, takes it.");

    private final HttpStatus status;
    private final Executed executed;
    private final Retry retry;
    private final String title;
    private final String happened;
    private final String next;

    ProblemKind(HttpStatus status, Executed executed, Retry retry, String title, String happened, String next) {
        this.status = status;
        this.executed = executed;
        this.retry = retry;
        this.title = title;
        this.happened = happened;
        this.next = next;
    }

    static Optional<ProblemKind> named(String code) {
        return Arrays.stream(values()).filter(kind -> kind.code().equals(code)).findFirst();
    }

    String code() {
        return word(this);
    }

    HttpStatus status() {
        return status;
    }

    Executed executed() {
        return executed;
    }

    Retry retry() {
        return retry;
    }

    String title() {
        return title;
    }

    String happened() {
        return happened;
    }

    String next() {
        return next;
    }

    /** As it stands on the wire: {@code SAME_KEY} is {@code same-key}. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
