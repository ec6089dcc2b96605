package io.idempotency.runtime.management;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.event.ApplicationEventPublisher;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what calls come to into the log {@code io.idempotency.calls}: a warning, and an event, for each record that is newly
 * in doubt, and everything at DEBUG. No line has a key, an argument, a result or an exception's message.
 */
@Singleton
final class CallLog implements OutcomeListener {

    private static final Logger LOG = LoggerFactory.getLogger("io.idempotency.calls");

    private final RecordsInDoubt known;
    private final ApplicationEventPublisher<IdempotencyEvent.InDoubt> events;

    CallLog(RecordsInDoubt known, ApplicationEventPublisher<IdempotencyEvent.InDoubt> events) {
        this.known = known;
        this.events = events;
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        if (LOG.isDebugEnabled()) { // the texts would be made with every call
            LOG.debug(
                    "Idempotent operation '{}' [key {}]: {} after {} ms",
                    call.operation(),
                    call.id(),
                    words(outcome),
                    call.took().toMillis());
        }
        if (leavesInDoubt(outcome)) {
            known.add(call.id());
            warn(call, "its body ended with " + failureOf(outcome));
        } else if (isUnknown(outcome)) {
            if (known.add(call.id())) {
                warn(call, "an earlier call, here or on another node, did not say how it ended");
            }
        } else {
            known.remove(call.id());
        }
    }

    private static boolean leavesInDoubt(Outcome outcome) {
        return outcome instanceof Outcome.Threw threw
                && threw.effect() == Effect.UNKNOWN
                && (threw.recorded() == Outcome.Recorded.YES || threw.recorded() == Outcome.Recorded.DEGRADED);
    }

    private static boolean isUnknown(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.reason() instanceof OutcomeUnknownException;
    }

    private void warn(Call call, String why) {
        LOG.warn(
                "Idempotent operation '{}' [key {}]: its record in store '{}' is in doubt: {}. Calls with this key are"
                        + " refused until the record is settled. Find out what happened, then settle it: GET"
                        + " /idempotency/{} shows the record and its whole id, to which you POST your decision; or call"
                        + " IdempotencyRecords.settle.",
                call.operation(),
                call.id(),
                call.store(),
                why,
                call.id().shownDigits());
        events.publishEvent(new IdempotencyEvent.InDoubt(call.operation(), call.id()));
    }

    private static String words(Outcome outcome) {
        if (outcome instanceof Outcome.Executed executed) {
            return "executed (recorded: " + executed.recorded() + ")";
        } else if (outcome instanceof Outcome.Threw threw) {
            return "executed and failed with " + failureOf(outcome) + " (effect: " + threw.effect() + ", recorded: "
                    + threw.recorded() + ")";
        } else if (outcome instanceof Outcome.Refused refused) {
            return "refused: " + refused.reason().code();
        }
        return "replayed";
    }

    private static String failureOf(Outcome outcome) {
        return ((Outcome.Threw) outcome).failure().getClass().getName();
    }
}
