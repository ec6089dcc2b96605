package io.idempotency.integration.killed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What callers were told, against what bodies did. Thread-safe. */
final class Verdict {

    /** By key: of every result the first two calls that were told of it. One of them did not run the body. */
    private final Map<String, List<Told>> results = new HashMap<>();

    private final Map<String, Told> unknown = new HashMap<>();
    private final Set<String> nothingDone = new HashSet<>();
    private final Map<String, Told> last = new HashMap<>();
    private final Map<String, Integer> answers = new TreeMap<>();
    private boolean ending;

    synchronized void told(Told told) {
        boolean result = told.what() == Told.What.RESULT;
        answers.merge(result ? told.what().name() : told.value(), 1, Integer::sum);
        if (ending) {
            last.put(told.key(), told);
        }
        switch (told.what()) {
            case RESULT -> {
                List<Told> before = results.computeIfAbsent(told.key(), key -> new ArrayList<>(2));
                if (before.stream()
                                .filter(same -> same.value().equals(told.value()))
                                .count()
                        < 2) {
                    before.add(told);
                }
            }
            case UNKNOWN -> unknown.putIfAbsent(told.key(), told);
            case NOTHING_DONE -> nothingDone.add(told.call());
            case FAILED -> {}
        }
    }

    /** From now on there is no trouble, and every key is called once. */
    synchronized void ending() {
        ending = true;
    }

    synchronized Set<String> keys() {
        Set<String> keys = new HashSet<>(results.keySet());
        keys.addAll(unknown.keySet());
        return keys;
    }

    /** All that is wrong; empty when every promise was kept. */
    synchronized List<String> on(List<Effect> effects) {
        Map<String, Effect> runs = effects.stream().collect(Collectors.toMap(Effect::run, Function.identity()));
        Map<String, List<Effect>> byKey = effects.stream()
                .sorted(Comparator.comparingLong(Effect::startedAtMs))
                .collect(Collectors.groupingBy(Effect::key));
        List<String> wrong = new ArrayList<>();
        byKey.forEach((key, bodies) -> wrong.addAll(ofBodies(key, bodies)));
        results.forEach((key, told) -> wrong.addAll(ofResults(key, told, runs, byKey.getOrDefault(key, List.of()))));
        effects.stream()
                .filter(effect -> nothingDone.contains(effect.call()))
                .forEach(effect -> wrong.add("a call that was told that it did nothing, and did: " + effect));
        last.values().stream()
                .filter(told -> told.what() == Told.What.NOTHING_DONE)
                .forEach(told -> wrong.add("a key that nobody gets any more: " + told));
        return wrong;
    }

    private List<String> ofBodies(String key, List<Effect> bodies) {
        List<String> wrong = new ArrayList<>();
        if (bodies.size() > 1 && Kind.of(key) != Kind.TAKE_OVER) {
            wrong.add("a body that ran twice: " + bodies);
        }
        for (int i = 1; i < bodies.size(); i++) {
            if (bodies.get(i).fence() <= bodies.get(i - 1).fence()) {
                wrong.add("a fence that fell, or that two have: " + bodies);
            }
        }
        if (Kind.of(key) == Kind.PAY || Kind.of(key) == Kind.RETRY) {
            // a booking whose commit was not answered is gone or there; the next call finds out
            wrong.addAll(after(unknown.get(key), bodies, "a body that ran after its outcome was said to be unknown: "));
        }
        return wrong;
    }

    private List<String> ofResults(String key, List<Told> told, Map<String, Effect> runs, List<Effect> bodies) {
        List<String> wrong = new ArrayList<>();
        told.stream()
                .filter(each -> !runs.containsKey(each.value()))
                .forEach(each -> wrong.add("a result of a body that never ran: " + each));
        // whose body ran has its result even where it could not be recorded; only others know that it was
        List<Told> kept = Kind.of(key) == Kind.TAKE_OVER
                ? told.stream()
                        .filter(each -> replayed(each, runs.get(each.value())))
                        .toList()
                : told;
        if (kept.stream().map(Told::value).distinct().count() > 1) {
            wrong.add("two results of one key: " + kept);
        }
        for (Told each : kept) {
            wrong.addAll(after(each, bodies, "a body that ran after its key had a result: "));
            Told end = last.getOrDefault(key, each);
            if (replayed(each, runs.get(each.value())) && end.what() != Told.What.RESULT) {
                wrong.add("a result that is lost: " + each + ", " + end);
            }
        }
        return wrong;
    }

    private static boolean replayed(Told told, @Nullable Effect run) {
        return run != null && !run.call().equals(told.call());
    }

    private static List<String> after(@Nullable Told told, List<Effect> bodies, String what) {
        return bodies.stream()
                .filter(body -> told != null && body.startedAtMs() > told.atMs())
                .map(body -> what + body + ", " + told)
                .toList();
    }

    @Override
    public synchronized String toString() {
        return results.size() + " keys with a result, " + unknown.size() + " in doubt; told: " + answers;
    }
}
