package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;

/** Where nothing better is known, results are written by the application's own mapper as it is configured. */
@Factory
final class ResultJsonFactory {

    @Singleton
    @Secondary
    ResultJson resultJson(JsonMapper json) {
        return new ResultJson(json, type -> {});
    }
}
