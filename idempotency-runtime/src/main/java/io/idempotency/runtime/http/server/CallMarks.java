package io.idempotency.runtime.http.server;

import io.idempotency.IdempotencyException;
import io.idempotency.runtime.Outcome;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of the idempotent calls of one request, as members of a structured field (RFC 8941). They may come from
 * several threads.
 */
final class CallMarks {

    private static final String REPLAYED = "replayed";
    private static final String IGNORED = "ignored";
    private static final String DEGRADED = "executed;degraded";

    /** More kinds of calls than anybody reads are counted and not listed. */
    private static final int MOST = 16;

    private final Map<Mark, Integer> marks = new LinkedHashMap<>();

    /** What became of one operation. */
    private record Mark(String operation, String outcome) {}

    synchronized void add(String operation, Outcome outcome) {
        add(new Mark(operation, of(outcome)));
    }

    synchronized void addUnprotected(String operation) {
        add(new Mark(operation, IGNORED));
    }

    private void add(Mark mark) {
        if (marks.size() < MOST || marks.containsKey(mark)) {
            marks.merge(mark, 1, Integer::sum);
        }
    }

    /** Whether the whole answer is one that was recorded earlier: every call was replayed. */
    synchronized boolean replayed() {
        return !marks.isEmpty()
                && marks.keySet().stream().allMatch(mark -> mark.outcome().equals(REPLAYED));
    }

    /**
     * Several calls are listed. Of a single one the response itself says enough, unless it ran without protection or
     * could not be recorded.
     */
    synchronized Optional<String> status() {
        int calls = marks.values().stream().mapToInt(Integer::intValue).sum();
        if (calls > 1) {
            return Optional.of(marks.entrySet().stream()
                    .map(mark -> member(mark.getKey(), mark.getValue()))
                    .collect(Collectors.joining(", ")));
        }
        return marks.keySet().stream()
                .map(Mark::outcome)
                .filter(outcome -> outcome.equals(IGNORED) || outcome.equals(DEGRADED))
                .findFirst();
    }

    private static String member(Mark mark, int times) {
        return mark.outcome() + ";op=\"" + mark.operation() + "\"" + (times == 1 ? "" : ";n=" + times);
    }

    private static String of(Outcome outcome) {
        if (outcome.recorded() == Outcome.Recorded.UNPROTECTED) {
            return IGNORED;
        } else if (outcome instanceof Outcome.Executed executed) {
            return executed.recorded() == Outcome.Recorded.DEGRADED ? DEGRADED : "executed";
        } else if (outcome instanceof Outcome.Threw threw) {
            return "failed;effect=" + word(threw.effect());
        } else if (outcome instanceof Outcome.Replayed) {
            return REPLAYED;
        }
        return refused(((Outcome.Refused) outcome).reason());
    }

    private static String refused(IdempotencyException reason) {
        return "refused;code=" + reason.code() + ";executed=" + word(reason.executed()) + ";retry="
                + word(reason.retry());
    }

    private static String word(@Nullable Enum<?> value) {
        return String.valueOf(value).toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
