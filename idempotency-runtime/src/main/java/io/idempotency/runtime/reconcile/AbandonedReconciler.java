package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out the outcome of an abandoned run without a new call: a bean of the application for an operation with
 * {@code onAbandoned = RECONCILE}. Recognises the run by keys that its body derived, by the key's hash that its body
 * wrote, and by the arguments if the operation stores them ({@code storeArguments}). Thread-safe; may block.
 */
public interface AbandonedReconciler {

    /** Returns the name of the operation whose runs this bean reconciles. */
    String operation();

    /**
     * Finds out the outcome of a run. The fence was raised before, so the former owner can record nothing any more, but
     * may still act: <em>absent</em> is proof only if the effect carries a derived key or the fence.
     *
     * @param context the claim of this question, also {@link IdempotencyContext#current()}: the key's hash, the fence,
     *     and the same derived keys as the body had
     * @return the answer; after <em>unknown</em> the run is asked for again later
     * @throws Exception counts as unknown
     */
    Reconciliation<?> reconcile(IdempotencyContext context) throws Exception;

    /**
     * Finds out the outcome of a run by the arguments of its call.
     *
     * @param arguments by parameter name; empty if the operation does not store them, or they cannot be read
     * @throws Exception counts as unknown
     */
    default Reconciliation<?> reconcile(IdempotencyContext context, Map<String, @Nullable Object> arguments)
            throws Exception {
        return reconcile(context);
    }
}
