package io.idempotency.benchmarks;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import java.util.concurrent.atomic.AtomicLong;

/** A route that does nothing: as it is, annotated, and to be protected by configuration. */
@Controller("/noop")
class RouteController {

    private final AtomicLong number = new AtomicLong();

    /** What is asked for. */
    @Serdeable
    record Ask(String orderId, long amount) {}

    /** What is answered. */
    @Serdeable
    record Answer(long number, String orderId) {}

    private Answer answer(Ask ask) {
        return new Answer(number.incrementAndGet(), ask.orderId());
    }

    @Post("/plain")
    Answer plain(@Body Ask ask) {
        return answer(ask);
    }

    @Post("/annotated")
    @IdempotentOperation("noop-annotated")
    Answer annotated(@Body Ask ask) {
        return answer(ask);
    }

    @Post("/configured")
    Answer configured(@Body Ask ask) {
        return answer(ask);
    }
}
