package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import java.time.Duration;

/** Refuses in every way there is. */
@Controller("/refuse")
@Produces(MediaType.ALL)
@Requires(property = "test.refusals")
class RefusingController {

    static final String HASH = "0".repeat(64);

    /** What operators read: none of it is for callers. */
    static final String SECRET = "DataAccessException at db-7.internal:5432 for ada@example.com, set idempotency.lease";

    static IdempotencyException refusal(Refusal kind) {
        return kind == Refusal.IN_PROGRESS
                ? new OperationInProgressException("charge", HASH, SECRET, Duration.ofMillis(1200))
                : kind.exception("charge", HASH, SECRET, new IllegalStateException(SECRET));
    }

    @Post("/{code}")
    String refuse(@PathVariable String code) {
        throw refusal(Refusal.named(code).orElseThrow());
    }

    @Post("/again")
    String again(@QueryValue String code) {
        throw new PreviousAttemptFailedException(
                "charge", HASH, SECRET, HttpStatusException.class.getName(), "sold out", code, null);
    }

    @Post("/first")
    String first() {
        throw new HttpStatusException(HttpStatus.GONE, "sold out");
    }
}
