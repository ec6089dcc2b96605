package io.idempotency.demo.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;

/** Ends this process as {@code kill -9} does, at once: no claim is given back, nothing is flushed. */
@Controller("/kill")
@Requires(property = "demo.kill-switch", value = "true")
class KillController {

    private static final int KILLED = 137;

    @Post
    @Status(HttpStatus.ACCEPTED)
    void kill() {
        Runtime.getRuntime().halt(KILLED);
    }
}
