package io.idempotency.http.server;

import io.idempotency.IdempotencyException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.RecordId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    private static final String FAILED = "failed;effect=";
    private static final String REFUSED = "refused;code=";
    private static final String DEGRADED = "executed;degraded";

    /** More kinds of calls than anybody reads are counted and not listed. */
    private static final int MOST = 16;

    private final List<Mark> marks = new ArrayList<>(1);
    private final List<String> originals = new ArrayList<>(0);

    /** What became of some calls of one operation. */
    private static final class Mark {
        private final String operation;
        private final String outcome;
        private int calls = 1;

        Mark(String operation, String outcome) {
            this.operation = operation;
            this.outcome = outcome;
        }

        private String member() {
            return outcome + ";op=\"" + operation + "\"" + (calls == 1 ? "" : ";n=" + calls);
        }
    }

    synchronized void add(String operation, Outcome outcome, RecordId id) {
        add(operation, of(outcome));
        Outcome.FirstRun first = outcome.first();
        if (first != null && originals.size() < MOST) {
            originals.add(original(id, first));
        }
    }

    private static String original(RecordId id, Outcome.FirstRun first) {
        Instant until = first.until();
        return '"' + id.shownDigits() + "\";at=@" + first.at().getEpochSecond()
                + (until == null ? "" : ";expires=@" + until.getEpochSecond());
    }

    /** What a replay repeats, as far as it is known. */
    synchronized Optional<String> original() {
        return originals.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", originals));
    }

    synchronized void addUnprotected(String operation) {
        add(operation, IGNORED);
    }

    private void add(String operation, String outcome) {
        for (Mark mark : marks) {
            if (mark.operation.equals(operation) && mark.outcome.equals(outcome)) {
                mark.calls++;
                return;
            }
        }
        if (marks.size() < MOST) {
            marks.add(new Mark(operation, outcome));
        }
    }

    /** Whether the whole answer is one that was recorded earlier: every call was replayed. */
    synchronized boolean replayed() {
        for (Mark mark : marks) {
            if (!mark.outcome.equals(REPLAYED)) {
                return false;
            }
        }
        return !marks.isEmpty();
    }

    /** Whether the body of any of them did something, now or earlier. */
    synchronized boolean ran() {
        for (Mark mark : marks) {
            if (!mark.outcome.startsWith(REFUSED) && !mark.outcome.equals(FAILED + word(Effect.NONE))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Several calls are listed. Of a single one the response itself says enough, unless it ran without protection or
     * could not be recorded.
     */
    synchronized Optional<String> status() {
        if (marks.size() == 1 && marks.get(0).calls == 1) {
            String outcome = marks.get(0).outcome;
            return outcome.equals(IGNORED) || outcome.equals(DEGRADED) ? Optional.of(outcome) : Optional.empty();
        }
        return marks.isEmpty()
                ? Optional.empty()
                : Optional.of(marks.stream().map(Mark::member).collect(Collectors.joining(", ")));
    }

    private static String of(Outcome outcome) {
        if (outcome.recorded() == Outcome.Recorded.UNPROTECTED) {
            return IGNORED;
        } else if (outcome instanceof Outcome.Executed executed) {
            return executed.recorded() == Outcome.Recorded.DEGRADED ? DEGRADED : "executed";
        } else if (outcome instanceof Outcome.Threw threw) {
            return FAILED + word(threw.effect());
        } else if (outcome instanceof Outcome.Replayed) {
            return REPLAYED;
        }
        Outcome.Refused refused = (Outcome.Refused) outcome;
        return refused.answer() == null ? refused(refused.reason()) : REPLAYED;
    }

    private static String refused(IdempotencyException reason) {
        return REFUSED + reason.code() + ";executed=" + reason.executed().code() + ";retry="
                + reason.retry().code();
    }

    private static String word(@Nullable Enum<?> value) {
        return String.valueOf(value).toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
