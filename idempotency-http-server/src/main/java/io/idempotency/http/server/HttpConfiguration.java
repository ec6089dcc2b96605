package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.order.Ordered;
import java.util.List;

/** {@code idempotency.http.*}: the header of the key, replayed responses, the callers of requests, and the place of the claim. */
@ConfigurationProperties(HttpConfiguration.PREFIX)
public interface HttpConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.http";

    /** The place of the claim among the filters. */
    String FILTER_ORDER = PREFIX + ".filter-order";

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

    /**
     * The order of the filter that claims the keys of configured routes. It comes after every filter of the same or a
     * lower order.
     *
     * @return {@code Ordered.LOWEST_PRECEDENCE} unless configured: behind every other filter
     */
    @Bindable(defaultValue = "2147483647")
    int getFilterOrder();

    /**
     * Whether no filter comes after the claim.
     *
     * @return true unless configured
     */
    default boolean isInnermost() {
        return getFilterOrder() == Ordered.LOWEST_PRECEDENCE;
    }
}
