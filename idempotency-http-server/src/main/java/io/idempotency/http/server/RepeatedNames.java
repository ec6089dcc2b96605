package io.idempotency.http.server;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpHeaders;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The names of the header fields that are recorded and repeated. */
record RepeatedNames(NavigableSet<String> names) {

    static RepeatedNames of(Collection<String> standard, Collection<String> more) {
        NavigableSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(standard);
        names.addAll(more);
        return new RepeatedNames(names);
    }

    RepeatedNames and(Collection<String> more) {
        return more.isEmpty() ? this : of(names, more);
    }

    /** What is recorded of a response's head. */
    Map<String, List<String>> of(HttpHeaders headers) {
        Map<String, List<String>> recorded = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String sent : headers.names()) { // fewer than the names of the list
            String name = names.floor(sent);
            if (name != null && name.equalsIgnoreCase(sent)) {
                recorded.put(name, headers.getAll(name));
            }
        }
        return recorded;
    }

    /** Repeats what is recorded, as far as it may still be: the list can have changed since. */
    void onto(MutableHttpHeaders headers, Map<String, List<String>> recorded) {
        recorded.forEach((name, values) -> {
            if (names.contains(name)) {
                headers.remove(name);
                values.forEach(value -> headers.add(name, value));
            }
        });
    }
}
