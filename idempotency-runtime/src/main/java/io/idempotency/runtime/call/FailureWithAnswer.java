package io.idempotency.runtime.call;

import io.idempotency.runtime.Effect;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body's exception together with the answer that its caller got for it, such as an HTTP response. A body's stage fails with it where
 * exceptions become answers: then the answer is recorded.
 */
public final class FailureWithAnswer extends Exception {

    private static final long serialVersionUID = 1L;

    private final Effect effect;
    private final byte @Nullable [] answer;

    /**
     * Creates the exception.
     *
     * @param failure what the body threw
     * @param effect what the answer says, for failures of which nothing else is known
     * @param answer what duplicates get, encoded; null when only the failure can be remembered
     */
    public FailureWithAnswer(Throwable failure, Effect effect, byte @Nullable [] answer) {
        super(null, failure, false, false);
        this.effect = effect;
        this.answer = answer;
    }

    /**
     * Returns what the body threw.
     *
     * @return never an answered failure itself
     */
    public Throwable failure() {
        return Objects.requireNonNull(getCause());
    }

    /**
     * Returns what the answer says of the effect.
     *
     * @return for failures of which nothing else is known
     */
    public Effect effect() {
        return effect;
    }

    /**
     * Returns what duplicates get.
     *
     * @return encoded; null when only the failure can be remembered
     */
    public byte @Nullable [] answer() {
        return answer;
    }
}
