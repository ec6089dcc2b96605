package io.idempotency.http.server;

import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpHeaders;
import java.util.ArrayList;
import java.util.List;

/** Lets scripts of a permitted origin read what a response says about idempotency. */
final class CorsExposure {

    private static final List<String> MARKS = List.of(
            IdempotencyHeaders.IDEMPOTENT_REPLAYED,
            IdempotencyHeaders.IDEMPOTENCY_ORIGINAL,
            IdempotencyHeaders.IDEMPOTENCY_STATUS);

    /** Of a refusal. */
    private static final List<String> WITH_MARKS = List.of(HttpHeaders.RETRY_AFTER, HttpHeaders.LINK);

    private CorsExposure() {}

    static void expose(MutableHttpHeaders headers) {
        if (!headers.contains(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                || MARKS.stream().noneMatch(headers::contains)) {
            return;
        }
        List<String> exposed = new ArrayList<>(headers.getAll(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS));
        MARKS.stream().filter(headers::contains).forEach(exposed::add);
        WITH_MARKS.stream().filter(headers::contains).forEach(exposed::add);
        headers.set(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, String.join(", ", exposed));
    }
}
