package io.idempotency.runtime.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Who listens to which record on this JVM, over the one channel of a store: what implementations of
 * {@link SettlementSignals} have in common. Thread-safe.
 */
public final class SettlementListeners {

    private final ConcurrentMap<RecordId, Set<Listener>> byRecord = new ConcurrentHashMap<>();
    private volatile boolean live;

    /** There are no listeners, and the channel is not live. */
    public SettlementListeners() {}

    /** By identity: two callers may bring the same action. */
    private static final class Listener {
        private final Runnable look;

        Listener(Runnable look) {
            this.look = look;
        }
    }

    /**
     * Adds a listener; it looks at once when the channel is live.
     *
     * @param id the record
     * @param look what to do
     * @return removes it
     */
    public SettlementSignals.Subscription add(RecordId id, Runnable look) {
        Listener listener = new Listener(look);
        byRecord.compute(id, (same, there) -> {
            Set<Listener> all = there == null ? ConcurrentHashMap.newKeySet() : there;
            all.add(listener);
            return all;
        });
        if (live) {
            look.run();
        }
        return new SettlementSignals.Subscription() {
            @Override
            public boolean live() {
                return live;
            }

            @Override
            public void close() {
                byRecord.computeIfPresent(id, (same, all) -> all.remove(listener) && all.isEmpty() ? null : all);
            }
        };
    }

    /**
     * Says whether the channel is live, and makes every listener look when that is news.
     *
     * @param now whether it is
     */
    public void live(boolean now) {
        switched(now).run();
    }

    /**
     * As {@link #live}, for a store that switches under a lock: no foreign code may run there.
     *
     * @param now whether the channel is live
     * @return to be run at once, outside of the lock: makes every listener look when that is news
     */
    public Runnable switched(boolean now) {
        if (live == now) {
            return () -> {};
        }
        live = now;
        return () -> byRecord.keySet().forEach(this::wake);
    }

    /**
     * Makes those look who listen to a record.
     *
     * @param id the record
     */
    public void wake(RecordId id) {
        Set<Listener> listeners = byRecord.get(id);
        if (listeners != null) {
            listeners.forEach(listener -> listener.look.run());
        }
    }

    /**
     * Makes those look whom a message of the channel is meant for; what is no record's id is for no listener.
     *
     * @param message for instance the id of a record that was settled
     */
    public void heard(String message) {
        RecordId id;
        try {
            id = new RecordId(message);
        } catch (IllegalArgumentException e) {
            return;
        }
        wake(id);
    }

    /**
     * Whether a claim of a record is to mark it as waited for.
     *
     * @param id the record
     * @return true when somebody listens to it and hears
     */
    public boolean hear(RecordId id) {
        return live && byRecord.containsKey(id);
    }

    /**
     * Whether there are no listeners.
     *
     * @return true when the channel is not needed
     */
    public boolean isEmpty() {
        return byRecord.isEmpty();
    }
}
