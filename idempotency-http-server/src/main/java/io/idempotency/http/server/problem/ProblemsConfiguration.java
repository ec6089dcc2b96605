package io.idempotency.http.server.problem;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;

/** {@code idempotency.http.problems.*}: where the types of problems are described. */
@ConfigurationProperties(ProblemsConfiguration.PREFIX)
interface ProblemsConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.http.problems";

    /** The path under which the descriptions are served unless configured. */
    String STANDARD_BASE = "/problems/idempotency";

    /**
     * What stands before the code in a problem's type: a path of this server, or an absolute URI of pages that somebody
     * else serves.
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
