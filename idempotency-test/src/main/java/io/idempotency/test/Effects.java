package io.idempotency.test;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.AssertProvider;

/**
 * What really happened out there: charges, e-mails, messages. The fakes of a test count here what they are told to do, by the
 * key of what was intended. {@link OperationCalls} says what the library knows of; this says what it was for:
 * {@code assertThat(charges).happenedOnceFor("order-1")}. Thread-safe.
 */
public final class Effects implements AssertProvider<EffectsAssert> {

    private final String name;
    private final Map<String, Integer> counts = new TreeMap<>();

    /**
     * Nothing has happened yet.
     *
     * @param name what they are, for messages
     */
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

    /**
     * How often it happened for one key.
     *
     * @param key what was intended
     * @return zero for a key that was never heard of
     */
    public synchronized int of(Object key) {
        return counts.getOrDefault(String.valueOf(key), 0);
    }

    /**
     * How often it happened, for whatever keys.
     *
     * @return not negative
     */
    public synchronized int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * For which keys it happened.
     *
     * @return their texts
     */
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
