package io.idempotency.integration.campaign;

import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of one run, in the order in which the campaign heard of them. Thread-safe. */
final class History {

    private final List<Event> events = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);
    private int healed = -1;

    synchronized void add(Event event) {
        events.add(event);
        if (!event.key().isEmpty()) {
            keys.add(event.key());
        }
        if (event instanceof Told told) {
            answers.merge(told.answer(), 1, Integer::sum);
        }
    }

    /** Marks the end of all faults: each key is called until it has an answer that lasts. */
    synchronized void heal() {
        healed = events.size();
    }

    synchronized Set<String> keys() {
        return Set.copyOf(keys);
    }

    synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** What happened while there were faults. */
    synchronized List<Event> beforeHealing() {
        return List.copyOf(healed < 0 ? events : events.subList(0, healed));
    }

    /** What was told after all faults were over; empty before {@link #heal()}. */
    synchronized List<Event> afterHealing() {
        return healed < 0 ? List.of() : List.copyOf(events.subList(healed, events.size()));
    }

    synchronized int calls() {
        return answers.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized Map<Answer, Integer> answers() {
        return new EnumMap<>(answers);
    }

    /** Writes it to a file, one event a line. */
    synchronized void write(Path file) throws IOException {
        Files.write(file, (Iterable<String>) events.stream().map(Event::line)::iterator);
    }
}
