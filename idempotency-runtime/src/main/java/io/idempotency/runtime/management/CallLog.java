package io.idempotency.runtime.management;

import io.idempotency.Refusal;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.event.ApplicationEventPublisher;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the outcomes of calls to {@code io.idempotency.calls} and publishes them as events: a warning and an event for
 * each record that is newly in doubt, everything else at DEBUG and as an event. No line has a key, an argument, a
 * result or an exception's message.
 */
@Singleton
final class CallLog implements OutcomeListener {

    private static final Logger LOG = LoggerFactory.getLogger("io.idempotency.calls");
    private static final int MOST_IN_DOUBT = 10_000;

    private final ApplicationEventPublisher<IdempotencyEvent.Executed> executed;
    private final ApplicationEventPublisher<IdempotencyEvent.Replayed> replayed;
    private final ApplicationEventPublisher<IdempotencyEvent.Refused> refused;
    private final ApplicationEventPublisher<IdempotencyEvent.InDoubt> inDoubt;

    /** The records in doubt that this node has reported. The oldest are forgotten. Guarded by itself. */
    private final Set<RecordId> reported = new LinkedHashSet<>();

    CallLog(
            ApplicationEventPublisher<IdempotencyEvent.Executed> executed,
            ApplicationEventPublisher<IdempotencyEvent.Replayed> replayed,
            ApplicationEventPublisher<IdempotencyEvent.Refused> refused,
            ApplicationEventPublisher<IdempotencyEvent.InDoubt> inDoubt) {
        this.executed = executed;
        this.replayed = replayed;
        this.refused = refused;
        this.inDoubt = inDoubt;
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        if (LOG.isDebugEnabled()) { // builds no texts unless they are logged
            LOG.debug(
                    "Idempotent operation '{}' [key {}]: {} after {} ms",
                    call.operation(),
                    call.id(),
                    words(outcome),
                    call.took().toMillis());
        }
        String doubt = newDoubt(call.id(), outcome);
        if (doubt != null) {
            warn(call, doubt);
        }
        try {
            publish(call, outcome);
        } finally { // also when a listener throws
            if (doubt != null) {
                inDoubt.publishEvent(new IdempotencyEvent.InDoubt(call.operation(), call.id()));
            }
        }
    }

    /** Returns why the record is in doubt; null when it is not, or was reported before. */
    private @Nullable String newDoubt(RecordId id, Outcome outcome) {
        if (outcome.recorded() == Outcome.Recorded.IN_DOUBT) {
            return isNew(id)
                    ? "its body had no effect, but it ended after its lease, or an earlier attempt may have had one"
                    : null;
        }
        if (outcome instanceof Outcome.Threw threw
                && threw.effect() == Effect.UNKNOWN
                && (threw.recorded() == Outcome.Recorded.YES || threw.recorded() == Outcome.Recorded.DEGRADED)) {
            isNew(id);
            return "its body ended with " + failureOf(threw);
        }
        Refusal refusal =
                outcome instanceof Outcome.Refused refused ? refused.reason().refusal() : null;
        if (refusal == Refusal.OUTCOME_UNKNOWN) {
            return isNew(id) ? "an earlier call, here or on another node, did not say how it ended" : null;
        }
        // most refusals say nothing of the record: the next doubt is the same
        if (refusal == null || refusal == Refusal.PREVIOUS_ATTEMPT_FAILED || refusal == Refusal.RESULT_UNAVAILABLE) {
            settled(id);
        }
        return null;
    }

    private boolean isNew(RecordId id) {
        synchronized (reported) {
            boolean added = reported.add(id);
            if (reported.size() > MOST_IN_DOUBT) {
                reported.remove(reported.iterator().next());
            }
            return added;
        }
    }

    /** Marks a record as not in doubt any more: the next doubt is reported again. */
    void settled(RecordId id) {
        synchronized (reported) {
            reported.remove(id);
        }
    }

    private void publish(Call call, Outcome outcome) {
        Outcome.Recorded recorded = outcome.recorded();
        if (recorded != null) {
            boolean returned = outcome instanceof Outcome.Executed;
            executed.publishEvent(new IdempotencyEvent.Executed(call.operation(), call.id(), returned, recorded));
        } else if (outcome instanceof Outcome.Refused reason) {
            refused.publishEvent(new IdempotencyEvent.Refused(
                    call.operation(), call.id(), reason.reason().code()));
        } else {
            replayed.publishEvent(new IdempotencyEvent.Replayed(call.operation(), call.id()));
        }
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
    }

    private static String words(Outcome outcome) {
        if (outcome instanceof Outcome.Executed executed) {
            return "executed (recorded: " + executed.recorded() + ")";
        } else if (outcome instanceof Outcome.Threw threw) {
            return "executed and failed with " + failureOf(threw) + " (effect: " + threw.effect() + ", recorded: "
                    + threw.recorded() + ")";
        } else if (outcome instanceof Outcome.Refused refused) {
            return "refused: " + refused.reason().code();
        }
        return "replayed";
    }

    private static String failureOf(Outcome.Threw threw) {
        return threw.failure().getClass().getName();
    }
}
