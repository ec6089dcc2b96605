package io.idempotency.demo.events;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import jakarta.validation.Valid;

/** Hands messages to the broker. */
@Controller("/messages")
class MessageController {

    private final Broker broker;

    MessageController(Broker broker) {
        this.broker = broker;
    }

    @Post
    @Status(HttpStatus.ACCEPTED)
    void publish(@Body @Valid Event message) {
        broker.publish(message);
    }
}
