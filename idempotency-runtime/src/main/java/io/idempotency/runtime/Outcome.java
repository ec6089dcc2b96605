package io.idempotency.runtime;

import io.idempotency.IdempotencyException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one call of an operation came to. */
public sealed interface Outcome {

    /** The {@link #label()} of a body that ran unprotected because the store could not be asked. */
    String PROCEEDED = "proceeded";

    /** What the store knows of a body that ran in this call. */
    enum Recorded {
        /** The outcome is recorded. */
        YES,
        /** The store could not be reached in time; it is tried again in the background. */
        DEGRADED,
        /** Nothing is remembered: the claim was given back. */
        RELEASED,
        /**
         * The store could not be reached before the body, which ran without a claim as {@code onStoreFailure = PROCEED}
         * permits. It is recorded in the background if the store comes back and no other call claims the key first.
         */
        UNPROTECTED
    }

    /** What the store knows of a body that ran in this call; null when it did not run in this call. */
    default @Nullable Recorded recorded() {
        return null;
    }

    /** The call whose outcome this one was given; null when it was given its own, or nothing is known of the other one. */
    default @Nullable FirstRun first() {
        return null;
    }

    /**
     * What it is called in meters and spans: {@code executed}, {@code replayed}, {@code failed-none}, {@code failed-final},
     * {@code failed-unknown}, {@code proceeded} (the store could not be reached, and the body ran unprotected) or the code of a
     * refusal.
     */
    default String label() {
        if (this instanceof Refused refused) {
            return refused.reason().code();
        } else if (recorded() == Recorded.UNPROTECTED) {
            return PROCEEDED;
        } else if (this instanceof Threw threw) {
            return "failed-" + threw.effect().name().toLowerCase(Locale.ROOT);
        }
        return this instanceof Executed ? "executed" : "replayed";
    }

    /** The body ran in this call and returned. */
    record Executed(@Nullable Object value, Recorded recorded) implements Outcome {}

    /** The body ran in this call and threw. */
    record Threw(Throwable failure, Effect effect, Recorded recorded) implements Outcome {}

    /**
     * The body did not run in this call; this is the recorded result.
     *
     * @param first the call whose result it is; null where only its result is known
     */
    record Replayed(@Nullable Object value, @Nullable FirstRun first) implements Outcome {

        /** A result of which no more is known. */
        public Replayed(@Nullable Object value) {
            this(value, null);
        }

        /** Compares the results alone: what else is known of the first call does not count. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Replayed replayed && Objects.equals(value, replayed.value);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(value);
        }
    }

    /**
     * The call whose outcome a duplicate is given.
     *
     * @param at when it claimed the key, by the store's clock
     * @param until when its outcome is forgotten; null for never
     */
    record FirstRun(Instant at, @Nullable Instant until, String owner) {}

    /**
     * There is no result to give.
     *
     * @param answer what the first caller was answered for the failure that is the outcome, encoded; null for none
     * @param first the call that the answer was for; null where there is none, or nothing is known of it
     */
    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    record Refused(
            IdempotencyException reason,
            byte @Nullable [] answer,
            @Nullable FirstRun first) implements Outcome {

        /** A refusal without an answer of an earlier call. */
        public Refused(IdempotencyException reason) {
            this(reason, null, null);
        }
    }
}
