package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
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

    /**
     * Whether a replay says which call's answer it is, and since and until when.
     *
     * @return true unless configured
     */
    @Bindable(defaultValue = "true")
    boolean isOriginal();
}
