package io.idempotency.http.server;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpHeaders;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The names of the header fields that are recorded and repeated. */
record RepeatedNames(Set<String> names) {

    static RepeatedNames of(Collection<String> standard, Collection<String> more) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(standard);
        names.addAll(more);
        return new RepeatedNames(names);
    }

    RepeatedNames and(Collection<String> more) {
        return more.isEmpty() ? this : of(names, more);
    }

    /** What is recorded of a response's head. */
    Map<String, List<String>> of(HttpHeaders headers) {
        Map<String, List<String>> recorded = new LinkedHashMap<>();
        for (String name : names) {
            List<String> values = headers.getAll(name);
            if (!values.isEmpty()) {
                recorded.put(name, values);
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
