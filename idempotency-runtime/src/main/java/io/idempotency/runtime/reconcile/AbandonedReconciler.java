package io.idempotency.runtime.reconcile;

import io.idempotency.IdempotencyContext;
import io.idempotency.Reconciliation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of an abandoned run without a new call: a bean of the application for an operation with
 * {@code onAbandoned = RECONCILE}. It knows the run by what its body derived from the key, or wrote with the key's hash, and by its
 * arguments where the operation stores them ({@code storeArguments}). Thread-safe; it may block.
 */
public interface AbandonedReconciler {

    /** The name of the operation whose runs these are. */
    String operation();

    /**
     * Finds out. The fence was raised before, so that the former owner can record nothing any more; but it may still act:
     * <em>absent</em> is proof only where the effect carries a derived key or the fence.
     *
     * @param context of the claim under which is asked, also {@link IdempotencyContext#current()}: the key's hash, the fence, and the same
     *     derived keys as the body had
     * @return the answer; unknown is asked again later
     * @throws Exception whatever it throws counts as unknown
     */
    Reconciliation<?> reconcile(IdempotencyContext context) throws Exception;

    /**
     * Finds out, with the arguments of the call.
     *
     * @param arguments by the names of their parameters; empty where the operation does not store them, or they cannot be read
     * @throws Exception whatever it throws counts as unknown
     */
    default Reconciliation<?> reconcile(IdempotencyContext context, Map<String, @Nullable Object> arguments)
            throws Exception {
        return reconcile(context);
    }
}
