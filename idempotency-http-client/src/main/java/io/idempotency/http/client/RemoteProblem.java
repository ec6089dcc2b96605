package io.idempotency.http.client;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A refusal of the profile, as another system sent it.
 *
 * @param code what kind of refusal it is, possibly one of a later version
 * @param operation the other system's operation, null when it does not say
 * @param detail its words, possibly none
 * @param retry what it asks its caller to do
 * @param executed whether it ran
 */
record RemoteProblem(String code, @Nullable String operation, String detail, Retry retry, Executed executed) {

    /** Only where all is there that makes a refusal one of the profile. */
    static Optional<RemoteProblem> of(Map<String, Object> members) {
        String code = text(members, "code");
        Retry retry = named(Retry.values(), Retry::code, text(members, "retry"));
        Executed executed = named(Executed.values(), Executed::code, text(members, "executed"));
        if (code == null || retry == null || executed == null) {
            return Optional.empty();
        }
        String detail = text(members, "detail");
        return Optional.of(
                new RemoteProblem(code, text(members, "operation"), detail == null ? "" : detail, retry, executed));
    }

    private static @Nullable String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String value ? value : null;
    }

    private static <T> @Nullable T named(T[] values, Function<T, String> code, @Nullable String wanted) {
        return Arrays.stream(values)
                .filter(value -> code.apply(value).equals(wanted))
                .findFirst()
                .orElse(null);
    }
}
