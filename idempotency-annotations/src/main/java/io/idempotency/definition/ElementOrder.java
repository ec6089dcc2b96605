package io.idempotency.definition;

import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.PriorityBlockingQueue;

/** Whether the order in which elements come is part of what they say, or differs from one JVM to the next. */
public final class ElementOrder {

    private ElementOrder() {}

    /**
     * Whether the order counts, as it does for a list and a queue. A set has none, and neither has what promises only to be a
     * collection: the values of a map, for instance.
     *
     * @throws IllegalArgumentException when the elements are no collection
     */
    public static boolean counts(Iterable<?> elements) {
        if (elements instanceof Collection<?>) {
            // a heap is iterated over in the order in which it happens to lie
            boolean isHeap = elements instanceof PriorityQueue<?>
                    || elements instanceof PriorityBlockingQueue<?>
                    || elements instanceof DelayQueue<?>;
            return elements instanceof List<?> || (elements instanceof Queue<?> && !isHeap);
        }
        throw new IllegalArgumentException("A " + elements.getClass().getName() + " was given where any Iterable is"
                + " accepted. It is no collection: nothing says whether the order of its elements counts, and reading them"
                + " may use it up, so it cannot be part of the arguments' fingerprint. The body did not run. Pass a List"
                + " where the order counts, or a Set.");
    }
}
