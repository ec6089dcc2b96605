package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import java.util.List;
import java.util.Set;

/**
 * {@code idempotency.http.*}: the header of the key, replayed responses, the callers of requests, and the place of the claim.
 *
 * @param header the header field that carries the key
 * @param replayedHeaders the header fields of a response that are recorded and repeated beside the standard ones
 * @param original whether a replay says which call's answer it is, and since and until when
 * @param caller what tells callers apart who are not authenticated for Micronaut; under NONE they share their keys
 * @param callerHeaders the header fields that carry credentials
 * @param callerCookies the cookies that carry credentials
 * @param filterOrder the order of the filter that claims the keys of configured routes. It comes after every filter of the
 *     same or a lower order
 */
@Internal
@ConfigurationProperties(HttpConfiguration.PREFIX)
public record HttpConfiguration(
        @Bindable(defaultValue = "Idempotency-Key") String header,
        @Nullable List<String> replayedHeaders,
        @Bindable(defaultValue = "true") boolean original,
        @Bindable(defaultValue = "CREDENTIALS") Caller caller,
        @Bindable(defaultValue = "Authorization,X-Api-Key") List<String> callerHeaders,
        @Nullable List<String> callerCookies,
        @Bindable(defaultValue = "2147483647") int filterOrder) {

    public static final String PREFIX = "idempotency.http";

    /** Safe methods: RFC 9110, section 9.2.1. */
    public static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    /** What tells callers apart who are not authenticated. */
    public enum Caller {
        CREDENTIALS,
        NONE
    }

    /** The property that orders the claim among the filters. */
    public static final String FILTER_ORDER = PREFIX + ".filter-order";

    /** Tells whether no filter comes after the claim. */
    public boolean isInnermost() {
        return filterOrder == Ordered.LOWEST_PRECEDENCE;
    }

    /**
     * {@code idempotency.http.problems.*}: where the types of problems are described.
     *
     * @param base what stands before the code in a problem's type: a path of this server, or an absolute URI of pages that
     *     another system serves
     * @param prefix what a proxy strips of the paths of requests, and links must begin with: a path like /api, or an absolute
     *     URI like https://example.com/api. The same for every request, whatever its headers say, because clients compare types
     * @param served whether this server describes the types under a base that is a path
     */
    @ConfigurationProperties("problems")
    public record Problems(
            @Bindable(defaultValue = STANDARD_BASE) String base,
            @Nullable String prefix,
            @Bindable(defaultValue = "true") boolean served) {

        public static final String PREFIX = HttpConfiguration.PREFIX + ".problems";

        /** The path under which the descriptions are served unless configured. */
        public static final String STANDARD_BASE = "/problems/idempotency";
    }

    /**
     * {@code idempotency.http.operations.<operation>.*}: the header fields of an operation, and what the answers of an annotated
     * operation's routes mean.
     *
     * @param replayedHeaders the header fields that are repeated beside those of all operations
     * @param header the header field that carries the key
     * @param noEffectStatus the statuses that say that nothing was done
     * @param unknownStatus the statuses that leave open what was done
     */
    @EachProperty("operations")
    public record OfOperation(
            @Parameter String name,
            @Nullable List<String> replayedHeaders,
            @Nullable String header,
            @Nullable Set<Integer> noEffectStatus,
            @Nullable Set<Integer> unknownStatus) {

        public static final String PREFIX = HttpConfiguration.PREFIX + ".operations";

        String property(String property) {
            return PREFIX + "." + name + "." + property;
        }
    }
}
