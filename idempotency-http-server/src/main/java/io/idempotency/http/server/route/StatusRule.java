package io.idempotency.http.server.route;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.failure.KnownFailures;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps the status of an answer to the body's effect, for annotated methods and configured routes. */
record StatusRule(Set<Integer> noEffect, Set<Integer> unknown) {

    /** See RFC 9110, 15.5.9, RFC 8470, 5.2 and RFC 6585, 4. */
    private static final Set<Integer> NO_EFFECT = Set.of(408, 425, 429);

    /** A downstream system did not answer in time, or may have begun. */
    private static final Set<Integer> UNKNOWN = Set.of(502, 503, 504);

    static final StatusRule STANDARD = new StatusRule(NO_EFFECT, UNKNOWN);

    /** Removes the statuses of one configured list from the other's standard list. Null is the standard list. */
    static StatusRule of(String property, @Nullable Set<Integer> noEffect, @Nullable Set<Integer> unknown) {
        Set<Integer> free = noEffect == null ? without(NO_EFFECT, unknown) : noEffect;
        Set<Integer> open = unknown == null ? without(UNKNOWN, noEffect) : unknown;
        for (int status : free) {
            if (open.contains(status)) {
                throw new ConfigurationException(property + ": " + status + " is both in no-effect-status and in"
                        + " unknown-status, which contradict each other. Keep one.");
            }
            if (!isError(status)) {
                throw new ConfigurationException(property + ".no-effect-status: " + status
                        + " says that the request was done. List statuses of 400 or more.");
            }
        }
        return new StatusRule(Set.copyOf(free), Set.copyOf(open));
    }

    private static Set<Integer> without(Set<Integer> standard, @Nullable Set<Integer> others) {
        return standard.stream()
                .filter(status -> others == null || !others.contains(status))
                .collect(Collectors.toSet());
    }

    static boolean isError(int status) {
        return status >= HttpStatus.BAD_REQUEST.getCode();
    }

    Effect effect(int status) {
        if (noEffect.contains(status)) {
            return Effect.NONE;
        }
        return unknown.contains(status) ? Effect.UNKNOWN : Effect.FINAL;
    }

    /** Returns the effect of an exception that has not been answered: by the status in it, otherwise final. */
    Effect effect(Throwable thrown) {
        return thrown instanceof HttpStatusException own
                ? effect(own.getStatus().getCode())
                : Effect.FINAL;
    }

    static FailureWithAnswer undecided(int status, Effect effect) {
        return new FailureWithAnswer(
                new KnownFailures.CutOff("the route answered " + status + ", which leaves open what was done"),
                effect,
                null);
    }
}
