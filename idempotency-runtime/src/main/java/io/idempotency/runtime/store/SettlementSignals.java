package io.idempotency.runtime.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Tells waiting callers, also those of other JVMs, that a record was settled. A signal carries no data: the caller that
 * hears it claims again, and that answer counts. So a spurious signal does no harm, and a lost one costs the time until
 * the caller's next look.
 *
 * <p>Duties, checked by {@code IdempotencyStoreTck}:
 *
 * <ol>
 *   <li>A claim that is sent through this store while a caller listens and {@link Subscription#live()} holds, and that
 *       is answered {@link ClaimResult.Duplicate} in progress, is followed by a call of {@code look} when that record
 *       is completed, failed, released or put in doubt, by any owner or operator. A store that marks records as waited
 *       for, so that it sends nothing when no caller waits, marks them in that claim.
 *   <li>{@code look} is called when the subscription becomes live, or is live at once, because a settlement just before
 *       that was not heard; and when it stops being live.
 *   <li>Nothing is sent for a record that no caller waits for: claiming and settling it costs what it costs without
 *       signals.
 *   <li>Listening takes no connection from the application's pool, and no thread per listener.
 * </ol>
 */
public interface SettlementSignals {

    /**
     * Starts listening, in the background if that takes time. Never blocks and never fails: without a channel the
     * subscription is not live.
     *
     * @param look called on any thread, possibly this one before this method returns; neither blocks nor throws
     */
    Subscription listen(RecordId id, Runnable look);

    /** Returns signals without a channel, whose subscriptions are never live. */
    static SettlementSignals none() {
        return (id, look) -> () -> {};
    }

    /** A caller's subscription to one record. Thread-safe. */
    interface Subscription extends AutoCloseable {

        /** Tells whether settlements are heard at the moment, as far as the store knows; false unless overridden. */
        default boolean live() {
            return false;
        }

        /** Ends the subscription; calls on their way may still arrive. */
        @Override
        void close();
    }

    /**
     * The callers of this JVM that listen to records over a store's one channel: the common part of implementations.
     * Thread-safe.
     */
    final class Listeners {

        /** Each listener's action, by its subscription, because two callers may bring the same action. */
        private final ConcurrentMap<RecordId, Map<Subscription, Runnable>> byRecord = new ConcurrentHashMap<>();

        private volatile boolean live;

        /** Adds a listener, which looks at once when the channel is live. */
        public Subscription add(RecordId id, Runnable look) {
            Subscription listener = new Subscription() {
                @Override
                public boolean live() {
                    return live;
                }

                @Override
                public void close() {
                    byRecord.computeIfPresent(
                            id, (same, all) -> all.remove(this) != null && all.isEmpty() ? null : all);
                }
            };
            byRecord.compute(id, (same, there) -> {
                Map<Subscription, Runnable> all = there == null ? new ConcurrentHashMap<>() : there;
                all.put(listener, look);
                return all;
            });
            if (live) {
                look.run();
            }
            return listener;
        }

        /** Sets whether the channel is live, and makes every listener look if that changes. */
        public void live(boolean now) {
            if (live != now) {
                live = now;
                byRecord.keySet().forEach(this::wake);
            }
        }

        /** Makes the listeners of a record look. */
        public void wake(RecordId id) {
            byRecord.getOrDefault(id, Map.of()).values().forEach(Runnable::run);
        }

        /** Makes the listeners look of the record whose id is a message of the channel; ignores any other message. */
        public void heard(String message) {
            RecordId id;
            try {
                id = new RecordId(message);
            } catch (IllegalArgumentException e) {
                return;
            }
            wake(id);
        }

        /** Tells whether a claim of a record has to mark it as waited for. */
        public boolean hear(RecordId id) {
            return live && byRecord.containsKey(id);
        }

        /** Tells whether there are no listeners. */
        public boolean isEmpty() {
            return byRecord.isEmpty();
        }
    }
}
