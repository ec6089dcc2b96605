package io.idempotency.processor.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A property path as it is written: {@code order.customer.id}, {@code headers['message-id']}.
 *
 * @param parameter the parameter that it starts with
 * @param segments what follows
 */
record KeyPath(String parameter, List<Segment> segments) {

    private static final Pattern START = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
    private static final Pattern NEXT = Pattern.compile("\\.(" + START + ")|\\['([^']+)']");

    /**
     * One step of a path.
     *
     * @param name the property or the map's key
     * @param isMapKey which of them it is
     */
    record Segment(String name, boolean isMapKey) {}

    /** Reads a path; empty where it is none. */
    static Optional<KeyPath> parse(String path) {
        Matcher start = START.matcher(path);
        if (!start.lookingAt()) {
            return Optional.empty();
        }
        List<Segment> segments = new ArrayList<>();
        Matcher next = NEXT.matcher(path);
        int at = start.end();
        while (at < path.length()) {
            if (!next.region(at, path.length()).lookingAt()) {
                return Optional.empty();
            }
            String property = next.group(1);
            segments.add(property == null ? new Segment(next.group(2), true) : new Segment(property, false));
            at = next.end();
        }
        return Optional.of(new KeyPath(start.group(), segments));
    }
}
