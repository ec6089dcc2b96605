package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;

/** {@code idempotency.http.*}: the header of the key, replayed responses and the callers of requests. */
@ConfigurationProperties(HttpConfiguration.PREFIX)
interface HttpConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.http";

    /** The header field that carries the key. */
    @Bindable(defaultValue = "Idempotency-Key")
    String getHeader();

    /** The header fields of a response that are recorded and repeated beside the standard ones. */
    @Nullable
    List<String> getReplayedHeaders();

    /** Whether a replay says which call's answer it is, and since and until when. */
    @Bindable(defaultValue = "true")
    boolean isOriginal();

    /**
     * What tells callers apart who are not authenticated for Micronaut: {@code credentials}, or {@code none} where they
     * share their keys.
     *
     * @return null for {@code credentials}
     */
    @Nullable
    String getCaller();

    /** The header fields that carry credentials. */
    @Bindable(defaultValue = "Authorization,X-Api-Key")
    List<String> getCallerHeaders();

    /** The cookies that carry credentials. */
    @Nullable
    List<String> getCallerCookies();
}
