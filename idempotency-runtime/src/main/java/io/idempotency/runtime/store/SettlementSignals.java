package io.idempotency.runtime.store;

/**
 * What {@link IdempotencyStore#signals()} gives when a store can tell waiting callers, also those of other JVMs, that a
 * record was settled. A signal carries nothing: the caller that hears it claims again, and that answer counts. So a
 * signal too many does no harm, and one that is lost costs the time until the caller's next look.
 *
 * <p>Duties, checked by {@code IdempotencyStoreTck}:
 *
 * <ol>
 *   <li>A claim that is sent through this store while somebody listens and {@link Subscription#live()} holds, and that is
 *       answered {@link ClaimResult.Duplicate} in progress, is followed by a call of {@code look} when that record is
 *       completed, failed, released or put in doubt, by whomever. A store that marks records as waited for, so that
 *       nothing is sent when no caller waits, marks them in that claim.
 *   <li>{@code look} is called when listening becomes live, or is live at once, because a settlement just before that was
 *       not heard; and when it stops being live.
 *   <li>Nothing is sent for a record that no caller waits for, and claiming and settling it costs what it costs without
 *       signals.
 *   <li>Listening takes no connection from the application's pool, and no thread per listener.
 * </ol>
 */
public interface SettlementSignals {

    /**
     * Starts listening, in the background where that takes time. Never blocks and never fails: without a channel the
     * subscription is not live.
     *
     * @param id the record
     * @param look called on any thread, possibly this one before this method returns; neither blocks nor throws
     * @return ends the listening
     */
    Subscription listen(RecordId id, Runnable look);

    /**
     * Signals where there is no channel.
     *
     * @return subscriptions that are never live
     */
    static SettlementSignals none() {
        return (id, look) -> new Subscription() {
            @Override
            public boolean live() {
                return false;
            }

            @Override
            public void close() {}
        };
    }

    /** Listening to one record. Thread-safe. */
    interface Subscription extends AutoCloseable {

        /**
         * Whether settlements are heard at the moment, as far as the store knows.
         *
         * @return false while there is no channel
         */
        boolean live();

        /** Ends it; calls on their way may still arrive. */
        @Override
        void close();
    }
}
