package io.idempotency.runtime.management;

import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.event.ApplicationEventPublisher;
import jakarta.inject.Singleton;

/** Publishes what calls come to. */
@Singleton
final class CallEvents implements OutcomeListener, DoubtListener {

    private final ApplicationEventPublisher<IdempotencyEvent.Executed> executed;
    private final ApplicationEventPublisher<IdempotencyEvent.Replayed> replayed;
    private final ApplicationEventPublisher<IdempotencyEvent.Refused> refused;
    private final ApplicationEventPublisher<IdempotencyEvent.InDoubt> inDoubt;

    CallEvents(
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

    @Override
    public void onDoubt(Call call) {
        inDoubt.publishEvent(new IdempotencyEvent.InDoubt(call.operation(), call.id()));
    }
}
