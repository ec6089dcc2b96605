package io.idempotency.runtime.call;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.util.Map;

/** One operation with every policy decided: annotation, configuration and built-in defaults are already merged. */
public record Operation(
        String name, String namespace, IdempotencyStore store, ResultCodec codec, Seal seal, Policy policy) {

    /** Returns this operation for a call that waits for no other. */
    public Operation withoutWaiting() {
        return new Operation(name, namespace, store, codec, seal, policy.withoutWaiting());
    }

    /** Returns an encoded result as a store keeps it. */
    public byte[] stored(RecordId id, byte[] encoded) {
        return seal.seal(id, RecordedFailure.escaped(encoded));
    }

    /**
     * Tells whether a synchronous call may block its thread: always, unless duplicates are refused and the store
     * answers at once.
     */
    public boolean mayWait() {
        return policy.whenInProgress() == WhenInProgress.WAIT || !store.answersAtOnce();
    }

    /** Tells whether a claim keeps its arguments: only where a reconciler may ask for them. */
    public boolean keepsArguments() {
        return policy.storeArguments() && policy.onAbandoned() == OnAbandoned.RECONCILE;
    }

    /**
     * The decided policies of one operation, by the names of its attributes.
     *
     * @param declaredEffects what exceptions of these types say about the effect; the nearest type counts
     */
    public record Policy(
            Duration retention,
            Duration inDoubtRetention,
            Duration lease,
            WhenInProgress whenInProgress,
            Duration waitTimeout,
            OnFailure onFailure,
            Map<Class<? extends Throwable>, Effect> declaredEffects,
            OnStoreFailure onStoreFailure,
            OnAbandoned onAbandoned,
            boolean transactional,
            int maxResultSize,
            Duration settleBudget,
            boolean storeArguments) {

        private Policy withoutWaiting() {
            return new Policy(
                    retention,
                    inDoubtRetention,
                    lease,
                    WhenInProgress.REJECT,
                    waitTimeout,
                    onFailure,
                    declaredEffects,
                    onStoreFailure,
                    onAbandoned,
                    transactional,
                    maxResultSize,
                    settleBudget,
                    storeArguments);
        }
    }
}
