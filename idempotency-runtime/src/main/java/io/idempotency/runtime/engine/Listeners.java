package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.failure.RedactedThrowable;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies listeners. An exception of a listener is logged and changes no outcome. Thread-safe. */
public final class Listeners {

    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private Listeners() {}

    /**
     * Reports the outcome of a call.
     *
     * @param call the call
     * @param startNanos when the call began, by {@link System#nanoTime()}
     * @param outcome how the call ended
     * @param listeners the listeners to notify
     */
    public static void tell(Invocation call, long startNanos, Outcome outcome, List<OutcomeListener> listeners) {
        Operation operation = call.operation();
        OutcomeListener.Call told = new OutcomeListener.Call(
                operation.name(),
                operation.store().name(),
                call.id(),
                Duration.ofNanos(System.nanoTime() - startNanos));
        tell(listeners, operation.name(), listener -> listener.onOutcome(told, outcome));
    }

    /** Reports a change of a claim. */
    static void tell(ActiveClaim claim, OutcomeListener.ClaimChange change) {
        tell(claim, (listener, told) -> listener.onClaim(told, change));
    }

    /** Reports that a body is about to run. */
    static void tellOfBody(ActiveClaim claim) {
        tell(claim, OutcomeListener::onBody);
    }

    private static void tell(ActiveClaim claim, BiConsumer<OutcomeListener, OutcomeListener.Claimed> news) {
        Operation operation = claim.call().operation();
        OutcomeListener.Claimed told = new OutcomeListener.Claimed(
                operation.name(), operation.store().name(), claim.call().id());
        tell(claim.services().listeners(), operation.name(), listener -> news.accept(listener, told));
    }

    /**
     * Notifies listeners of any kind.
     *
     * @param listeners the listeners to notify
     * @param subject the name of the operation or store that the news is about, for the log
     * @param news calls one listener
     * @param <L> the listeners' type
     */
    @SuppressWarnings("CatchingUnchecked") // listeners are foreign code
    public static <L> void tell(List<L> listeners, String subject, Consumer<L> news) {
        for (L listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable e) {
                LOG.warn(
                        "A listener was told of '{}': {} failed; whatever told it goes on",
                        subject,
                        listener.getClass().getName(),
                        RedactedThrowable.of(e));
            }
        }
    }
}
