package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.problem.HttpStatusType;
import io.micronaut.problem.ProblemErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.net.URI;
import org.zalando.problem.ProblemBuilder;

/** micronaut-problem-json renders all members of a throwable problem, but only the status of any other exception. */
@Singleton
@Requires(classes = ProblemErrorResponseProcessor.class)
final class ProblemJsonCause implements ProblemCause {

    @Override
    public boolean isFor(ErrorResponseProcessor<?> processor) {
        return processor instanceof ProblemErrorResponseProcessor;
    }

    @Override
    public Throwable of(IdempotencyException refusal, Problem problem) {
        ProblemBuilder builder = org.zalando.problem.Problem.builder()
                .withType(URI.create(problem.type()))
                .withTitle(problem.title())
                .withStatus(new HttpStatusType(problem.status()))
                .withDetail(problem.detail());
        problem.extensions().forEach(builder::with);
        return builder.build();
    }
}
