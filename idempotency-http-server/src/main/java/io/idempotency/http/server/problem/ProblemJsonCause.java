package io.idempotency.http.server.problem;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.problem.HttpStatusType;
import io.micronaut.problem.ProblemErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.net.URI;
import org.zalando.problem.ProblemBuilder;

/** Adapts refusals to micronaut-problem-json, which renders all members of a throwable problem, but only the status of another exception. */
@Singleton
@Requires(classes = ProblemErrorResponseProcessor.class)
final class ProblemJsonCause {

    boolean isFor(ErrorResponseProcessor<?> processor) {
        return processor instanceof ProblemErrorResponseProcessor;
    }

    Throwable of(Problem problem) {
        ProblemBuilder builder = org.zalando.problem.Problem.builder()
                .withType(URI.create(problem.type()))
                .withTitle(problem.title())
                .withStatus(new HttpStatusType(problem.status()))
                .withDetail(problem.detail());
        problem.extensions().forEach(builder::with);
        return builder.build();
    }
}
