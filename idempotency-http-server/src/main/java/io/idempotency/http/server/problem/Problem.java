package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A refusal as problem details (RFC 9457), with the members {@code code}, {@code operation}, {@code executed} and
 * {@code retry} of this profile.
 */
record Problem(
        HttpStatus status,
        String type,
        String title,
        String detail,
        String code,
        String operation,
        String executed,
        String retry) {

    private static final String OTHERS_RAN =
            " Other idempotent operations of the same request have run: a new key would run them again.";

    /**
     * The problem that answers a whole request.
     *
     * @param refusal why one of its operations was refused
     * @param othersRan whether another one has run
     */
    static Problem of(IdempotencyException refusal, ProblemTypes types, boolean othersRan) {
        boolean partly = othersRan && refusal.executed() == Executed.NO;
        Executed executed = partly ? Executed.UNKNOWN : refusal.executed();
        Retry retry = partly && refusal.retry() == Retry.NEW_KEY ? Retry.NEVER : refusal.retry();
        return new Problem(
                status(refusal, types),
                types.uri(refusal.refusal()),
                types.title(refusal.refusal(), refusal.operation()),
                partly ? refusal.detail() + OTHERS_RAN : refusal.detail(),
                refusal.code(),
                refusal.operation(),
                executed.code(),
                retry.code());
    }

    /** As first answered where the body threw an HTTP status. */
    private static HttpStatus status(IdempotencyException refusal, ProblemTypes types) {
        return (refusal instanceof PreviousAttemptFailedException failed
                        ? HttpStatusClassifier.statusOf(failed)
                        : Optional.<HttpStatus>empty())
                .orElseGet(() -> types.status(refusal.refusal()));
    }

    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", type);
        members.put("title", title);
        members.put("status", status.getCode());
        members.put("detail", detail);
        extensions().forEach(members::put);
        return members;
    }

    /** What RFC 9457 does not define. */
    Map<String, String> extensions() {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("code", code);
        members.put("operation", operation);
        members.put("executed", executed);
        members.put("retry", retry);
        return members;
    }

    String text() {
        return status.getCode() + " " + title + "\n\n" + detail + "\n\n" + summary("\n") + "\ntype: " + type + "\n";
    }

    String summary(String separator) {
        return "operation: " + operation + separator + "code: " + code + separator + "executed: " + executed + separator
                + "retry: " + retry;
    }

    /** The same for machines, whatever becomes of the body: a structured field item with parameters. */
    String header() {
        return "refused;code=" + code + ";executed=" + executed + ";retry=" + retry;
    }
}
