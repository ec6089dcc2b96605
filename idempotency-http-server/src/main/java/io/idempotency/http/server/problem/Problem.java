package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.http.HttpStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A refusal as problem details (RFC 9457), with the members {@code code}, {@code operation}, {@code executed} and
 * {@code retry} of this profile, which RFC 9457 does not define.
 */
record Problem(HttpStatus status, String type, String title, String detail, Map<String, String> extensions) {

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
        Map<String, String> extensions = new LinkedHashMap<>();
        extensions.put("code", refusal.code());
        extensions.put("operation", refusal.operation());
        extensions.put("executed", executed.code());
        extensions.put("retry", retry.code());
        return new Problem(
                status(refusal, types),
                types.uri(refusal.refusal()),
                types.title(refusal.refusal(), refusal.operation()),
                partly ? refusal.detail() + OTHERS_RAN : refusal.detail(),
                extensions);
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
        members.putAll(extensions);
        return members;
    }

    String text() {
        return status.getCode() + " " + title + "\n\n" + detail + "\n\n" + summary("\n") + "\ntype: " + type + "\n";
    }

    String summary(String separator) {
        return listed(": ", separator, "operation", "code", "executed", "retry");
    }

    /** A structured field item with parameters, for clients that do not read the body. */
    String header() {
        return "refused;" + listed("=", ";", "code", "executed", "retry");
    }

    private String listed(String equals, String separator, String... names) {
        return Stream.of(names)
                .map(name -> name + equals + extensions.get(name))
                .collect(Collectors.joining(separator));
    }
}
