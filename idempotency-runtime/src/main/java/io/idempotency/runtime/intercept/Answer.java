package io.idempotency.runtime.intercept;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the caller of the method sees of an outcome. */
final class Answer {

    private static final Logger LOG = LoggerFactory.getLogger(Answer.class);

    private Answer() {}

    static @Nullable Object of(Outcome outcome, String operation, List<OutcomeListener> listeners) throws Exception {
        tell(listeners, operation, listener -> listener.onOutcome(operation, outcome));
        if (outcome instanceof Outcome.Executed executed) {
            return executed.value();
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return replayed.value();
        } else if (outcome instanceof Outcome.Threw threw) {
            throw Answer.<RuntimeException>asIs(threw.failure());
        }
        throw ((Outcome.Refused) outcome).reason();
    }

    /** What a listener throws is nobody's outcome. */
    @SuppressWarnings("CatchingUnchecked") // listeners are foreign code
    static void tell(List<OutcomeListener> listeners, String operation, Consumer<OutcomeListener> news) {
        for (OutcomeListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable e) {
                LOG.warn(
                        "Idempotent operation '{}': {} failed; the call goes on",
                        operation,
                        listener.getClass().getName(),
                        e);
            }
        }
    }

    /** The first caller gets the body's own exception, checked or not. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException asIs(Throwable failure) throws E {
        throw (E) failure;
    }
}
