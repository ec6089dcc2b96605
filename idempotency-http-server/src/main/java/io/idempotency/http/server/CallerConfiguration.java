package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;

/** {@code idempotency.http.*} as far as it is about the callers of requests. */
@ConfigurationProperties(CallerConfiguration.PREFIX)
interface CallerConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.http";

    /**
     * What tells callers apart who are not authenticated for Micronaut: {@code credentials}, or {@code none} where they
     * share their keys.
     *
     * @return null for {@code credentials}
     */
    @Nullable
    String getCaller();

    /**
     * The header fields that carry credentials.
     *
     * @return Authorization and X-Api-Key unless configured
     */
    @Bindable(defaultValue = "Authorization,X-Api-Key")
    List<String> getCallerHeaders();

    /**
     * The cookies that carry credentials.
     *
     * @return null for none
     */
    @Nullable
    List<String> getCallerCookies();
}
