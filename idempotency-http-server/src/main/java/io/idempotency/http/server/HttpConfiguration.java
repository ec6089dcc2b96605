package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.order.Ordered;
import java.util.List;

/** {@code idempotency.http.*}: the header of the key, replayed responses, the callers of requests, and the place of the claim. */
@Internal
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

    /** {@code idempotency.http.problems.*}: where the types of problems are described. */
    @ConfigurationProperties("problems")
    interface Problems {

        /** Where the properties are. */
        String PREFIX = HttpConfiguration.PREFIX + ".problems";

        /** The path under which the descriptions are served unless configured. */
        String STANDARD_BASE = "/problems/idempotency";

        /**
         * What stands before the code in a problem's type: a path of this server, or an absolute URI of pages that another
         * system serves.
         *
         * @return without a slash at the end
         */
        @Bindable(defaultValue = STANDARD_BASE)
        String getBase();

        /**
         * What a proxy strips of the paths of requests, and links must begin with: a path like /api, or an absolute URI like
         * https://example.com/api. The same for every request, whatever its headers say, because clients compare types.
         *
         * @return without a slash at the end; null where paths arrive as they were sent
         */
        @Nullable
        String getPrefix();

        /**
         * Whether this server describes the types under a base that is a path.
         *
         * @return true unless configured
         */
        @Bindable(defaultValue = "true")
        boolean isServed();
    }
}
