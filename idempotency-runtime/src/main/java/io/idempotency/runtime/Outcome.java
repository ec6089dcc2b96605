package io.idempotency.runtime;

import io.idempotency.IdempotencyException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of one call of an operation. */
public sealed interface Outcome {

    /** The {@link #label()} of a body that ran unprotected because the store could not be reached. */
    String PROCEEDED = "proceeded";

    /** What the store has recorded of a body that ran in this call. */
    enum Recorded {
        /** The outcome is recorded. */
        YES,
        /** The store could not be reached in time; recording is retried in the background. */
        DEGRADED,
        /** Nothing is in doubt: the claim was released, or its transaction was committed or rolled back with the body's. */
        RELEASED,
        /** The body had no effect, but its lease was over before, or it took over from one that may have had an effect. */
        IN_DOUBT,
        /**
         * The store could not be reached before the body, which ran without a claim ({@code onStoreFailure = PROCEED}).
         * It is recorded in the background if the store comes back and no other call claims the key first.
         */
        UNPROTECTED
    }

    /** Returns what the store has recorded of the body; null when the body did not run in this call. */
    default @Nullable Recorded recorded() {
        return null;
    }

    /** Returns the call whose outcome this call got; null when it is its own, or nothing is known of the other. */
    default @Nullable FirstRun first() {
        return null;
    }

    /**
     * Returns the name of this outcome in meters and spans: {@code executed}, {@code replayed}, {@code failed-none},
     * {@code failed-final}, {@code failed-unknown}, {@code proceeded} (the store could not be reached, and the body ran
     * unprotected) or the code of a refusal.
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
     * @param first the call that produced the result; null when only the result is known
     */
    record Replayed(@Nullable Object value, @Nullable FirstRun first) implements Outcome {

        /** Creates an outcome of which only the result is known. */
        public Replayed(@Nullable Object value) {
            this(value, null);
        }

        /** Compares only the results, not what is known of the first call. */
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
     * The call whose outcome a duplicate gets.
     *
     * @param at when that call claimed the key, by the store's clock
     * @param until when its outcome is forgotten; null for never
     */
    record FirstRun(Instant at, @Nullable Instant until, String owner) {}

    /**
     * There is no result to return.
     *
     * @param answer the encoded answer that the first caller got for the recorded failure; null for none
     * @param first the call that got the answer; null when there is no answer, or nothing is known of the call
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    record Refused(
            IdempotencyException reason,
            byte @Nullable [] answer,
            @Nullable FirstRun first) implements Outcome {

        /** Creates a refusal without the answer of an earlier call. */
        public Refused(IdempotencyException reason) {
            this(reason, null, null);
        }
    }
}
