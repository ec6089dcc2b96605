package io.idempotency.demo.events;

import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.validation.Valid;
import java.util.List;

/** Takes webhooks. It knows nothing of idempotency. */
@Controller("/events")
@ExecuteOn(TaskExecutors.BLOCKING)
class EventController {

    private final EventService events;

    EventController(EventService events) {
        this.events = events;
    }

    @Post
    public EventReceipt receive(@Body @Valid Event event) {
        return events.handle(event);
    }

    /** Every handling that really happened. */
    @Get
    public List<HandledEvent> list() {
        return events.handled();
    }
}
