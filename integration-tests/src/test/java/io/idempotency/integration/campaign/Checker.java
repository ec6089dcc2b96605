package io.idempotency.integration.campaign;

import io.idempotency.integration.campaign.Event.Answer;
import io.idempotency.integration.campaign.Event.Effect;
import io.idempotency.integration.campaign.Event.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what callers were told with the effects that happened. Linear in the length of the history. Each violation begins
 * with the name of the promise that was broken.
 */
final class Checker {

    static final String TWO_EFFECTS = "two effects of one key";
    static final String FENCE = "a fence that did not rise";
    static final String NO_EFFECT = "a success without its effect";
    static final String TWO_RESULTS = "two results of one key";
    static final String PAYLOAD = "a success for another payload";
    static final String RAN = "a call that was told that it did not run, and did";
    static final String AFTER_UNKNOWN = "an effect after its outcome was said to be unknown";
    static final String AFTER_RESULT = "an effect after its result was replayed";
    static final String LOST_RESULT = "a replayed result that was lost later";
    static final String STUCK = "a key that stays in progress after healing";
    static final String WAITED = "a caller that waited too long";

    private final Duration longestWait;
    private final List<String> violations = new ArrayList<>();

    /** What is known of one key so far. */
    private static final class Key {
        final List<Effect> effects = new ArrayList<>();
        final Map<String, Told> results = new HashMap<>();

        @Nullable
        Told replayed;

        @Nullable
        Told unknown;

        @Nullable
        Told last;
    }

    Checker(Duration longestWait) {
        this.longestWait = longestWait;
    }

    /** All violations; empty where every promise was kept. */
    List<String> violations(History history) {
        Map<String, Key> keys = new HashMap<>();
        Map<String, Effect> runs = new HashMap<>();
        Map<String, Effect> ofCall = new HashMap<>();
        Set<String> ended = new HashSet<>();
        List<Event> events = history.events();
        for (Event event : events) {
            if (event instanceof Effect effect) {
                runs.put(effect.run(), effect);
                ofCall.put(effect.call(), effect);
                keys.computeIfAbsent(effect.key(), key -> new Key()).effects.add(effect);
            }
        }
        for (Event event : events) {
            if (event instanceof Told told) {
                Key key = keys.computeIfAbsent(told.key(), of -> new Key());
                told(key, told, runs, ofCall);
                key.last = told;
            }
        }
        history.afterHealing().forEach(event -> ended.add(event.key()));
        keys.forEach((name, key) -> ofKey(name, key, ended.contains(name)));
        return violations;
    }

    private void told(Key key, Told told, Map<String, Effect> runs, Map<String, Effect> ofCall) {
        if (told.tookMs() > longestWait.toMillis()) {
            violations.add(WAITED + ": " + told);
        }
        switch (told.answer()) {
            case RESULT -> result(key, told, runs.get(told.value()));
            case UNKNOWN -> key.unknown = earliest(key.unknown, told);
            case DID_NOT_RUN, OTHER_PAYLOAD -> {
                if (ofCall.containsKey(told.call())) {
                    violations.add(RAN + ": " + told + ", " + ofCall.get(told.call()));
                }
            }
            case FAILED, LOST -> {}
        }
    }

    private static Told earliest(@Nullable Told before, Told told) {
        return before == null || told.atMs() < before.atMs() ? told : before;
    }

    private void result(Key key, Told told, @Nullable Effect effect) {
        if (effect == null) {
            violations.add(NO_EFFECT + ": " + told);
            return;
        }
        if (!effect.payload().equals(told.payload()) || !effect.key().equals(told.key())) {
            violations.add(PAYLOAD + ": " + told + ", " + effect);
        }
        boolean replay = !effect.call().equals(told.call());
        if (replay) {
            key.replayed = earliest(key.replayed, told);
        }
        // an owner that was taken over has its own result, and only its caller ever learns it
        if (replay || Kind.of(told.key()) != Kind.TAKE_OVER) {
            key.results.putIfAbsent(told.value(), told);
        }
    }

    private void ofKey(String name, Key key, boolean ended) {
        Kind kind = Kind.of(name);
        if (key.effects.size() > 1 && kind != Kind.TAKE_OVER) {
            violations.add(TWO_EFFECTS + ": " + key.effects);
        }
        for (int i = 1; i < key.effects.size(); i++) {
            if (key.effects.get(i).fence() <= key.effects.get(i - 1).fence()) {
                violations.add(FENCE + ": " + key.effects);
            }
        }
        if (key.results.size() > 1) {
            violations.add(TWO_RESULTS + ": " + key.results.values());
        }
        after(kind.unknownIsFinal() ? key.unknown : null, key.effects, AFTER_UNKNOWN);
        after(key.replayed, key.effects, AFTER_RESULT);
        Told last = key.last;
        if (ended && last != null && last.answer() == Answer.DID_NOT_RUN) {
            violations.add(STUCK + ": " + last);
        }
        if (ended && last != null && key.replayed != null && lost(key.replayed, last)) {
            violations.add(LOST_RESULT + ": " + key.replayed + ", " + last);
        }
    }

    private static boolean lost(Told replayed, Told last) {
        return last.answer() != Answer.RESULT
                && !(last.answer() == Answer.OTHER_PAYLOAD && !last.payload().equals(replayed.payload()));
    }

    private void after(@Nullable Told told, List<Effect> effects, String violation) {
        for (Effect effect : effects) {
            if (told != null && effect.atMs() > told.atMs()) {
                violations.add(violation + ": " + effect + ", " + told);
            }
        }
    }
}
