package io.idempotency.http.server.route;

import io.micronaut.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a route answered.
 *
 * @param response what the first caller gets; its body is bytes unless it is not recorded
 * @param unrecorded why its body cannot be recorded, null when it can
 */
record RouteAnswer(HttpResponse<?> response, @Nullable String unrecorded) {

    static RouteAnswer of(HttpResponse<?> response) {
        return new RouteAnswer(response, null);
    }
}
