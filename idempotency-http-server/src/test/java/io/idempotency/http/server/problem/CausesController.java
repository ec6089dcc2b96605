package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.concurrent.Callable;

/** Does what a test says, by both kinds of route. */
@Controller("/causes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "test.causes")
class CausesController {

    volatile Callable<String> body = () -> "done";
    volatile RecordId last = new RecordId("0".repeat(64));

    @Post("/annotated")
    @IdempotentOperation("causes-annotated")
    String annotated(@Body String ask) throws Exception {
        return run();
    }

    @Post("/configured")
    String configured(@Body String ask) throws Exception {
        return run();
    }

    private String run() throws Exception {
        last = new RecordId(IdempotencyContext.current().keyHash());
        return body.call();
    }
}
