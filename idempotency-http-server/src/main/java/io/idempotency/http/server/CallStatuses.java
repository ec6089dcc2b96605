package io.idempotency.http.server;

import io.idempotency.IdempotencyException;
import io.idempotency.definition.OperationName;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.RecordId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outcomes of the idempotent calls of one request, as members of a structured field (RFC 8941). Thread-safe. */
final class CallStatuses {

    private static final String REPLAYED = "replayed";
    private static final String IGNORED = "ignored";
    private static final String FAILED = "failed;effect=";
    private static final String REFUSED = "refused;code=";
    private static final String DEGRADED = "executed;degraded";
    private static final String KEY = "executed;key=";
    private static final String IN_DOUBT = KEY + "in-doubt";

    /** The most kinds of calls, and the most first runs, that are listed. */
    private static final int MOST = 16;

    /** The members of the field, each with the number of calls that it stands for. */
    private final Map<String, Integer> calls = new LinkedHashMap<>();

    private final List<String> originals = new ArrayList<>(0);

    /** The ends of the calls whose bodies have begun: without an outcome while they last, and after a defect. */
    private final List<CompletableFuture<? extends @Nullable Outcome>> begun = new ArrayList<>(1);

    /** The status to send while the first call is the only one. */
    private String alone = "";

    private boolean onlyReplays = true;
    private boolean ran;

    synchronized void add(String operation, Outcome outcome, RecordId id) {
        add(operation, of(outcome), alone(outcome));
        Outcome.FirstRun first = outcome.first();
        if (first != null && originals.size() < MOST) {
            Instant until = first.until();
            originals.add('"' + id.shownDigits() + "\";at=@" + first.at().getEpochSecond()
                    + (until == null ? "" : ";expires=@" + until.getEpochSecond()));
        }
    }

    synchronized void begin(CompletableFuture<? extends @Nullable Outcome> end) {
        begun.add(end);
    }

    private boolean isOpen() {
        return begun.stream().anyMatch(end -> end.isCompletedExceptionally() || end.getNow(null) == null);
    }

    synchronized Optional<String> original() {
        return originals.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", originals));
    }

    synchronized void addUnprotected(String operation) {
        add(operation, IGNORED, IGNORED);
    }

    private void add(String operation, String outcome, String said) {
        if (calls.isEmpty()) {
            alone = said;
        }
        onlyReplays &= outcome.equals(REPLAYED);
        ran |= outcome.startsWith(REFUSED) ? !outcome.contains(";executed=no;") : !outcome.equals(FAILED + "none");
        String member = outcome + ";op=\"" + (OperationName.isKebabCase(operation) ? operation : "") + "\"";
        if (calls.size() < MOST || calls.containsKey(member)) {
            calls.merge(member, 1, Integer::sum);
        }
    }

    synchronized boolean replayed() {
        return onlyReplays && !calls.isEmpty() && !isOpen();
    }

    /** Tells whether the header of a refusal says all: of a single call that ran with its key, or was refused. */
    synchronized boolean refusalSaysAll() {
        return isSingle() && (alone.startsWith(KEY) || alone.startsWith(REFUSED));
    }

    private boolean isSingle() {
        return calls.size() == 1 && calls.containsValue(1);
    }

    synchronized boolean ran(boolean orRuns) {
        return ran || orRuns && isOpen();
    }

    /** Returns the state of the key after a single call, otherwise the list of calls; empty without calls. */
    synchronized Optional<String> status(boolean isError) {
        // no other call speaks for a body that goes on; and an error may mean that nothing was done
        if (isOpen() || isError && isSingle() && alone.equals(DEGRADED)) {
            return Optional.of(IN_DOUBT);
        }
        // after a refusal without an error the application did something else, which is not to be done again
        String single = isError || !alone.startsWith(REFUSED) ? alone : "";
        String status = isSingle()
                ? single
                : calls.entrySet().stream()
                        .map(call -> call.getKey() + (call.getValue() == 1 ? "" : ";n=" + call.getValue()))
                        .collect(Collectors.joining(", "));
        return Optional.of(status).filter(text -> !text.isEmpty());
    }

    private static String alone(Outcome outcome) {
        Outcome.Recorded recorded = outcome.recorded();
        if (recorded == null) {
            String said = of(outcome);
            return said.equals(REPLAYED) ? "" : said;
        }
        boolean unknown = outcome instanceof Outcome.Threw threw && threw.effect() == Effect.UNKNOWN;
        return switch (recorded) {
            case UNPROTECTED -> IGNORED;
            case DEGRADED -> outcome instanceof Outcome.Threw ? IN_DOUBT : DEGRADED;
            case RELEASED -> unknown ? IN_DOUBT : KEY + "free";
            case IN_DOUBT -> IN_DOUBT;
            case YES -> unknown ? IN_DOUBT : KEY + "settled";
        };
    }

    private static String of(Outcome outcome) {
        if (outcome.recorded() == Outcome.Recorded.UNPROTECTED) {
            return IGNORED;
        } else if (outcome instanceof Outcome.Executed executed) {
            return executed.recorded() == Outcome.Recorded.DEGRADED ? DEGRADED : "executed";
        } else if (outcome instanceof Outcome.Threw threw) {
            return FAILED + threw.effect().name().toLowerCase(Locale.ROOT);
        } else if (outcome instanceof Outcome.Refused refused && refused.answer() == null) {
            IdempotencyException reason = refused.reason();
            return REFUSED + reason.code() + ";executed=" + reason.executed().code() + ";retry="
                    + reason.retry().code();
        }
        return REPLAYED;
    }
}
