package io.idempotency.http.server.problem;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyKeyForeignException;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyKeyUsedElsewhereException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
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
import java.util.List;

/** Refuses in every way there is. */
@Controller("/refuse")
@Produces(MediaType.ALL)
@Requires(property = "test.refusals")
class RefusingController {

    static final String HASH = "0".repeat(64);

    static final List<IdempotencyException> REFUSALS = List.of(
            new MissingIdempotencyKeyException("charge", null, "said", null),
            new InvalidIdempotencyKeyException("charge", null, "said", null),
            new IdempotencyKeyReusedException("charge", HASH, "said", null),
            new IdempotencyKeyUsedElsewhereException("charge", HASH, "said", null),
            new IdempotencyKeyForeignException("charge", HASH, "said", null),
            new OperationInProgressException("charge", HASH, "said", Duration.ofMillis(1200)),
            new OutcomeUnknownException("charge", HASH, "said", null),
            new ResultUnavailableException("charge", HASH, "said", null),
            new PreviousAttemptFailedException("charge", HASH, "said", "java.lang.Exception", null, null),
            new IdempotencyStoreUnavailableException("charge", HASH, "said", null),
            new ApplicationShuttingDownException("charge", HASH, "said", null));

    @Post("/{code}")
    String refuse(@PathVariable String code) {
        throw REFUSALS.stream()
                .filter(refusal -> refusal.code().equals(code))
                .findFirst()
                .orElseThrow();
    }

    @Post("/again")
    String again(@QueryValue String code) {
        throw new PreviousAttemptFailedException(
                "charge", HASH, "said", HttpStatusException.class.getName(), "sold out", code);
    }

    @Post("/first")
    String first() {
        throw new HttpStatusException(HttpStatus.GONE, "sold out");
    }

    /** A refusal that this library does not know. */
    @Post("/own")
    String own() {
        throw new IdempotencyException("charge", null, "said", null) {
            @Override
            public String code() {
                return "own";
            }

            @Override
            public Executed executed() {
                return Executed.NO;
            }

            @Override
            public Retry retry() {
                return Retry.NEVER;
            }
        };
    }
}
