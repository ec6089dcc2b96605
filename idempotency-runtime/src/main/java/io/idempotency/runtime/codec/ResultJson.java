package io.idempotency.runtime.codec;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Writes and reads results. */
record ResultJson(JsonMapper mapper, Types types) {

    /** Finds out beforehand. */
    @FunctionalInterface
    interface Types {
        /**
         * Asks for a type.
         *
         * @throws IOException when its values cannot be written or read
         */
        void require(Argument<?> type) throws IOException;
    }

    /** Where nothing better is known, results are written by the application's own mapper as it is configured. */
    @Factory
    static final class OfApplication {

        @Singleton
        @Secondary
        ResultJson resultJson(@Nullable JsonMapper json) {
            if (json == null) {
                throw new ConfigurationException(
                        "Results of idempotent operations are recorded as JSON, and nothing on the class"
                                + " path writes it. The application does not start. Add the dependency"
                                + " io.micronaut.serde:micronaut-serde-jackson and, among the annotation processors,"
                                + " io.micronaut.serde:micronaut-serde-processor.");
            }
            return new ResultJson(json, type -> {});
        }
    }
}
