package io.idempotency.demo.customers;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import jakarta.validation.Valid;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes requests to be called back. It knows nothing of idempotency: {@code idempotency.http.routes.request-callback} in
 * application.yml protects it.
 */
@Controller("/callbacks")
class CallbackController {

    private final AtomicLong number = new AtomicLong();

    @Post
    @Status(HttpStatus.CREATED)
    Callback request(@Body @Valid Callback callback) {
        return new Callback(number.incrementAndGet(), callback.phone());
    }
}
