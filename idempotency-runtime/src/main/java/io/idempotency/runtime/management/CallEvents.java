package io.idempotency.runtime.management;

import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.event.ApplicationEventPublisher;
import jakarta.inject.Singleton;

/** Publishes what calls come to, except what {@link CallLog} finds in doubt. */
@Singleton
final class CallEvents implements OutcomeListener {

    private final ApplicationEventPublisher<IdempotencyEvent.Executed> executed;
    private final ApplicationEventPublisher<IdempotencyEvent.Replayed> replayed;
    private final ApplicationEventPublisher<IdempotencyEvent.Refused> refused;

    CallEvents(
            ApplicationEventPublisher<IdempotencyEvent.Executed> executed,
            ApplicationEventPublisher<IdempotencyEvent.Replayed> replayed,
            ApplicationEventPublisher<IdempotencyEvent.Refused> refused) {
        this.executed = executed;
        this.replayed = replayed;
        this.refused = refused;
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Executed ran) {
            ran(call, true, ran.recorded());
        } else if (outcome instanceof Outcome.Threw threw) {
            ran(call, false, threw.recorded());
        } else if (outcome instanceof Outcome.Refused reason) {
            refused.publishEvent(new IdempotencyEvent.Refused(
                    call.operation(), call.id(), reason.reason().code()));
        } else {
            replayed.publishEvent(new IdempotencyEvent.Replayed(call.operation(), call.id()));
        }
    }

    private void ran(Call call, boolean returned, Outcome.Recorded recorded) {
        executed.publishEvent(new IdempotencyEvent.Executed(call.operation(), call.id(), returned, recorded));
    }
}
