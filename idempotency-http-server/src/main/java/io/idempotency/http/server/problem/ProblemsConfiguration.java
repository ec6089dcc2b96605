package io.idempotency.http.server.problem;

import io.micronaut.context.annotation.ConfigurationProperties;
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
     * Whether this server describes the types under a base that is a path.
     *
     * @return true unless configured
     */
    @Bindable(defaultValue = "true")
    boolean isServed();
}
