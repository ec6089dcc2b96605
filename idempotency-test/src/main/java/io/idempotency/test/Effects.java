package io.idempotency.test;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.AssertProvider;

/**
 * Counts effects outside of the application, such as charges, by a key. A test's fakes count their effects here:
 * {@code assertThat(charges).happenedOnceFor("order-1")}. Thread-safe.
 */
public final class Effects implements AssertProvider<EffectsAssert> {

    private final String name;
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Creates a counter at zero. The name tells in messages what is counted. */
    public Effects(String name) {
        this.name = name;
    }

    /** Counts one more effect for a key, such as an order's id, and returns the total of all keys. */
    public synchronized int happen(Object key) {
        counts.merge(String.valueOf(key), 1, Integer::sum);
        return total();
    }

    /** Returns the number of effects for one key; zero for an unknown key. */
    public synchronized int of(Object key) {
        return counts.getOrDefault(String.valueOf(key), 0);
    }

    /** Returns the number of effects for all keys together. */
    public synchronized int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the texts of the keys with effects. */
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
