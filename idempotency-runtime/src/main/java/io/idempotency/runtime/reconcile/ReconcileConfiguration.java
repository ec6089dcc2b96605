package io.idempotency.runtime.reconcile;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/** {@code idempotency.reconcile.*}: when abandoned runs are looked for, where an {@link AbandonedReconciler} can tell what became of them. */
@ConfigurationProperties("idempotency.reconcile")
public interface ReconcileConfiguration {

    /** Whether this node looks for them. */
    @Bindable(defaultValue = "true")
    boolean isEnabled();

    /** How long between two looks. A run whose outcome was unknown is asked for again after as long. Positive. */
    @Bindable(defaultValue = "1m")
    Duration getInterval();

    /** How many runs of one operation are asked for in one look, one after the other; positive. */
    @Bindable(defaultValue = "100")
    int getBatchSize();
}
