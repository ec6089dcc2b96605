package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** {@code idempotency.http.*} as far as it is about replayed responses. */
@ConfigurationProperties("idempotency.http")
interface ReplayConfiguration {

    /** Where the list is. */
    String PROPERTY = "idempotency.http.replayed-headers";

    /**
     * The header fields of a response that are recorded and repeated beside the standard ones.
     *
     * @return null for no more than the standard ones
     */
    @Nullable
    List<String> getReplayedHeaders();
}
