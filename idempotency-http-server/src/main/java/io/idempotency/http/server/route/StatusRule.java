package io.idempotency.http.server.route;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.micronaut.context.exceptions.ConfigurationException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the status of an answer says about the effect of the body, the same for annotated methods and configured routes.
 *
 * @param noEffect nothing was done: the key is free
 * @param unknown it is not known what was done
 */
record StatusRule(Set<Integer> noEffect, Set<Integer> unknown) {

    private static final int FIRST_ERROR = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    /** RFC 9110, 15.5.9, RFC 8470, 5.2 and RFC 6585, 4: the server did not work on the request. */
    private static final Set<Integer> NO_EFFECT = Set.of(408, 425, 429);

    /** A system between here and the work did not get an answer, or not in time, or may have begun. */
    private static final Set<Integer> UNKNOWN = Set.of(502, 503, 504);

    static final StatusRule STANDARD = new StatusRule(NO_EFFECT, UNKNOWN);

    /**
     * The rule of a configuration; what is written in one list is taken out of the standard of the other.
     *
     * @param property where the lists are written
     * @param noEffect null for the standard ones
     * @param unknown null for the standard ones
     */
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
                        + " says that the request was done. List statuses of " + FIRST_ERROR + " or more.");
            }
        }
        return new StatusRule(Set.copyOf(free), Set.copyOf(open));
    }

    private static Set<Integer> without(Set<Integer> standard, @Nullable Set<Integer> others) {
        Set<Integer> rest = new HashSet<>(standard);
        rest.removeAll(others == null ? Set.of() : others);
        return rest;
    }

    static boolean isError(int status) {
        return status >= FIRST_ERROR;
    }

    static boolean isServerError(int status) {
        return status >= FIRST_SERVER_ERROR;
    }

    /** Final for whatever is in neither list: the answer is the outcome. */
    Effect effect(int status) {
        if (noEffect.contains(status)) {
            return Effect.NONE;
        }
        return unknown.contains(status) ? Effect.UNKNOWN : Effect.FINAL;
    }

    /** How an answer that leaves open what was done is recorded. */
    static FailureWithAnswer undecided(int status, Effect effect) {
        return new FailureWithAnswer(new UndecidedAnswerException(status), effect, null);
    }

    /** A system behind a route did not get an answer itself, so that it is not known what was done. */
    static final class UndecidedAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UndecidedAnswerException(int status) {
            super("the route answered " + status + ", which leaves open what was done", null, false, false);
        }
    }
}
