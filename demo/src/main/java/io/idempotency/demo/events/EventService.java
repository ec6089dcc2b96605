package io.idempotency.demo.events;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;

/** Handles each event once, however often it is delivered. */
@Singleton
class EventService {

    private final HandledEventRepository handled;

    EventService(HandledEventRepository handled) {
        this.handled = handled;
    }

    // tag::handle[]
    @IdempotentOperation(value = "handle-event", key = "event.id", onFailure = OnFailure.RELEASE)
    public EventReceipt handle(Event event) {
        HandledEvent stored = handled.save(new HandledEvent(null, event.id(), event.type()));
        return new EventReceipt(event.id(), event.type(), Objects.requireNonNull(stored.seq()), "HANDLED");
    }
    // end::handle[]

    List<HandledEvent> handled() {
        return handled.findAll();
    }
}
