package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.micronaut.http.HttpResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a floor found out about one request. */
interface RouteClaim {

    /** What is answered instead, null for the one who has to run the body. */
    @Nullable
    HttpResponse<?> replay();

    /** Keeps what the body answered, and gives back what is sent. */
    HttpResponse<?> record(int status, Answer answer) throws IOException;
}
