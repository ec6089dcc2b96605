package io.idempotency.test;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.AssertProvider;

/**
 * Counts effects outside of the application: charges, e-mails, messages. The fakes of a test count
 * here what they do, by the key of what was intended:
 * {@code assertThat(charges).happenedOnceFor("order-1")}. Thread-safe.
 */
public final class Effects implements AssertProvider<EffectsAssert> {

    private final String name;
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Nothing has happened yet; the name says in messages what is counted. */
    public Effects(String name) {
        this.name = name;
    }

    /**
     * It happens once more.
     *
     * @param key what was intended: the order, the message, the idempotency key that came with it
     * @return how many there are now, of all keys
     */
    public synchronized int happen(Object key) {
        counts.merge(String.valueOf(key), 1, Integer::sum);
        return total();
    }

    /** How often it happened for one key; zero for an unknown one. */
    public synchronized int of(Object key) {
        return counts.getOrDefault(String.valueOf(key), 0);
    }

    /** How often it happened, for all keys together. */
    public synchronized int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The texts of the keys for which it happened. */
    public synchronized Set<String> keys() {
        return Set.copyOf(counts.keySet());
    }

    synchronized void clear() {
        counts.clear();
    }

    @Override
    public EffectsAssert assertThat() {
        return new EffectsAssert(this);
    }

    @Override
    public synchronized String toString() {
        return "'" + name + "' happened " + total() + " times: " + counts;
    }
}
