package io.idempotency.http.server;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpHeaders;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The names of the header fields that are recorded and repeated. */
final class RepeatedNames {

    /** A server sends a few, and each in one spelling. Where names are made up for each response, the rest is compared every time. */
    private static final int MOST = 64;

    private static final String NONE = "";

    private final NavigableSet<String> names;

    /** By the spelling that is sent. */
    private final Map<String, String> known = new ConcurrentHashMap<>();

    private RepeatedNames(NavigableSet<String> names) {
        this.names = names;
    }

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
            String name = listed(sent);
            if (!name.equals(NONE)) {
                recorded.put(name, headers.getAll(name));
            }
        }
        return recorded;
    }

    private String listed(String sent) {
        String before = known.get(sent);
        if (before != null) {
            return before;
        }
        String nearest = names.floor(sent);
        String name = nearest != null && nearest.equalsIgnoreCase(sent) ? nearest : NONE;
        if (known.size() < MOST) {
            known.put(sent, name);
        }
        return name;
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
