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

    /** Reports the outcome of a call that began at a time of {@link System#nanoTime()}. */
    public static void tell(Invocation call, long startNanos, Outcome outcome, List<OutcomeListener> listeners) {
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        tell(call, took, listeners, (listener, told) -> listener.onOutcome(told, outcome));
    }

    /** Reports a change of a claim. */
    static void tell(ActiveClaim claim, OutcomeListener.ClaimChange change) {
        tell(
                claim.call(),
                Duration.ZERO,
                claim.services().listeners(),
                (listener, told) -> listener.onClaim(told, change));
    }

    /** Reports that a body is about to run. */
    static void tellOfBody(ActiveClaim claim) {
        tell(claim.call(), Duration.ZERO, claim.services().listeners(), OutcomeListener::onBody);
    }

    private static void tell(
            Invocation call,
            Duration took,
            List<OutcomeListener> listeners,
            BiConsumer<OutcomeListener, OutcomeListener.Call> news) {
        Operation operation = call.operation();
        OutcomeListener.Call told =
                new OutcomeListener.Call(operation.name(), operation.store().name(), call.id(), took);
        tell(listeners, operation.name(), listener -> news.accept(listener, told));
    }

    /** Notifies listeners of any kind. The subject is the operation or store that the news is about, for the log. */
    public static <L> void tell(List<L> listeners, String subject, Consumer<L> news) {
        for (L listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable e) { // listeners are foreign code
                LOG.warn(
                        "A listener was told of '{}': {} failed; whatever told it goes on",
                        subject,
                        listener.getClass().getName(),
                        RedactedThrowable.of(e));
            }
        }
    }
}
