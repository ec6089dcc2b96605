package io.idempotency.http.client;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A refusal of the profile, as another system sent it.
 *
 * @param code what kind of refusal it is
 * @param operation the other system's operation, null when it does not say
 * @param detail its words, possibly none
 * @param retry {@code same-key}, {@code new-key} or {@code never}
 * @param executed {@code yes}, {@code no} or {@code unknown}
 */
record RemoteProblem(String code, @Nullable String operation, String detail, String retry, String executed) {

    static final String IN_PROGRESS = "in-progress";

    private static final String SAME_KEY = "same-key";
    private static final Set<String> RETRY = Set.of(SAME_KEY, "new-key", "never");
    private static final Set<String> EXECUTED = Set.of("yes", "no", "unknown");

    /** Only where all is there that makes a refusal one of the profile. */
    static Optional<RemoteProblem> of(Map<String, Object> members) {
        String code = text(members, "code");
        String retry = text(members, "retry");
        String executed = text(members, "executed");
        if (code == null
                || retry == null
                || executed == null
                || !RETRY.contains(retry)
                || !EXECUTED.contains(executed)) {
            return Optional.empty();
        }
        String detail = text(members, "detail");
        return Optional.of(
                new RemoteProblem(code, text(members, "operation"), detail == null ? "" : detail, retry, executed));
    }

    private static @Nullable String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String value ? value : null;
    }

    boolean saysNotExecuted() {
        return "no".equals(executed);
    }

    boolean saysSameKey() {
        return SAME_KEY.equals(retry);
    }
}
