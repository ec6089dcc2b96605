package io.idempotency.runtime.call;

import io.idempotency.runtime.Effect;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A body's exception together with the answer that its caller got, such as an HTTP response. A body's stage fails with
 * this exception where exceptions become answers, and then the answer is recorded.
 */
public final class FailureWithAnswer extends Exception {

    private final Effect effect;
    private final byte @Nullable [] answer;

    /** Creates the exception; see the methods for its parts. */
    public FailureWithAnswer(Throwable failure, Effect effect, byte @Nullable [] answer) {
        super(null, failure, false, false);
        this.effect = effect;
        this.answer = answer;
    }

    /** Returns the body's exception, never a {@code FailureWithAnswer}. */
    public Throwable failure() {
        return Objects.requireNonNull(getCause());
    }

    /** Returns what the answer says about the effect; it counts where nothing else is known of the failure. */
    public Effect effect() {
        return effect;
    }

    /** Returns the encoded answer for duplicates; null when only the failure can be recorded. */
    public byte @Nullable [] answer() {
        return answer;
    }
}
