package io.idempotency.benchmarks;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A route that does nothing: as it is, annotated, to be protected by configuration, and with the floors of either. */
@Controller("/noop")
class RouteController {

    private final AtomicLong number = new AtomicLong();
    private final RouteFloor floor;
    private final RouteSafeFloor safe;

    RouteController(RouteFloor floor, RouteSafeFloor safe) {
        this.floor = floor;
        this.safe = safe;
    }

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

    @Post("/floor-annotated")
    HttpResponse<?> floorOfAnnotated(HttpRequest<?> request, @Body Ask ask) throws IOException {
        return answer(floor.claim(request, ask), ask);
    }

    @Post("/safe-annotated")
    HttpResponse<?> safeFloorOfAnnotated(HttpRequest<?> request, @Body Ask ask) throws IOException {
        return answer(safe.claim(request, ask), ask);
    }

    private HttpResponse<?> answer(RouteClaim claim, Ask ask) throws IOException {
        HttpResponse<?> replay = claim.replay();
        return replay == null ? claim.record(HttpStatus.OK.getCode(), answer(ask)) : replay;
    }

    @Post("/floor-configured")
    Answer floorOfConfigured(@Body Ask ask) {
        return answer(ask);
    }

    @Post("/safe-configured")
    Answer safeFloorOfConfigured(@Body Ask ask) {
        return answer(ask);
    }
}
