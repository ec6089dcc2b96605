package io.idempotency.http.server.route;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.order.Ordered;

/** {@code idempotency.http.*} as far as it is about the place of the claim among the filters. */
@ConfigurationProperties("idempotency.http")
interface FilterOrderConfiguration {

    /** Where it is written. */
    String PROPERTY = "idempotency.http.filter-order";

    /** {@code Ordered.LOWEST_PRECEDENCE}: behind every other filter. */
    String INNERMOST = "2147483647";

    /**
     * The order of the filter that claims the keys of configured routes. It comes after every filter of the same or a
     * lower order.
     *
     * @return the innermost place unless configured
     */
    @Bindable(defaultValue = INNERMOST)
    int getFilterOrder();

    /** Whether no filter comes after the claim. */
    default boolean isInnermost() {
        return getFilterOrder() == Ordered.LOWEST_PRECEDENCE;
    }
}
