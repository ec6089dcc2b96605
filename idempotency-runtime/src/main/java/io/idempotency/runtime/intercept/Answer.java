package io.idempotency.runtime.intercept;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.engine.Invocation;
import io.idempotency.runtime.engine.OutcomeListeners;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the caller of the method sees of an outcome. */
final class Answer {

    private Answer() {}

    static @Nullable Object of(Outcome outcome, Invocation call, long startNanos, List<OutcomeListener> listeners)
            throws Exception {
        OutcomeListeners.tell(call, startNanos, outcome, listeners);
        if (outcome instanceof Outcome.Executed executed) {
            return executed.value();
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return replayed.value();
        } else if (outcome instanceof Outcome.Threw threw) {
            throw Answer.<RuntimeException>asIs(threw.failure());
        }
        throw ((Outcome.Refused) outcome).reason();
    }

    /** The first caller gets the body's own exception, checked or not. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException asIs(Throwable failure) throws E {
        throw (E) failure;
    }
}
