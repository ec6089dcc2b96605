package io.idempotency.test;

import io.idempotency.Refusal;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.store.RecordId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AssertProvider;

/** The calls of one operation in a test: {@code assertThat(kit.calls("charge-payment")).ranOnce()}. Thread-safe. */
public final class OperationCalls implements AssertProvider<OperationCallsAssert> {

    private final String operation;
    private final List<IdempotencyEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger bodies = new AtomicInteger();

    OperationCalls(String operation) {
        this.operation = operation;
    }

    void add(IdempotencyEvent event) {
        events.add(event);
    }

    void bodyRuns() {
        bodies.incrementAndGet();
    }

    void clear() {
        bodies.set(0);
        events.clear();
    }

    /** Returns how often the body began to run, with a key or without one, and whatever its caller was told. */
    public int ran() {
        return bodies.get();
    }

    /** Returns how many calls got a recorded result; a recorded failure counts as a refusal. */
    public int replayed() {
        return of(IdempotencyEvent.Replayed.class).size();
    }

    /** Returns the codes of the refused calls: see {@link io.idempotency.IdempotencyException#code()}. */
    public List<String> refusals() {
        return of(IdempotencyEvent.Refused.class).stream()
                .map(IdempotencyEvent.Refused::code)
                .toList();
    }

    /**
     * Returns how many keys are in doubt as far as calls were told: a key counts from the first call that learns that its
     * outcome is unknown to the first that gets or records an outcome, or to an operator's decision.
     */
    public int inDoubt() {
        Set<RecordId> keys = new HashSet<>();
        for (IdempotencyEvent event : events) {
            if (event instanceof IdempotencyEvent.InDoubt) {
                keys.add(event.id());
            } else if (tellsAnOutcome(event)) {
                keys.remove(event.id());
            }
        }
        return keys.size();
    }

    /** Tells whether the record is settled. Where a body leaves it in doubt, the event of that comes afterwards. */
    private static boolean tellsAnOutcome(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.Executed executed) {
            return executed.recorded() == Recorded.YES || executed.recorded() == Recorded.RELEASED;
        }
        return !(event instanceof IdempotencyEvent.Refused refused)
                || refused.code().equals(Refusal.PREVIOUS_ATTEMPT_FAILED.code())
                || refused.code().equals(Refusal.RESULT_UNAVAILABLE.code());
    }

    private <T extends IdempotencyEvent> List<T> of(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Override
    public OperationCallsAssert assertThat() {
        return new OperationCallsAssert(this);
    }

    @Override
    public String toString() {
        return "operation '" + operation + "': ran " + ran() + ", replayed " + replayed() + ", refused " + refusals()
                + ", in doubt " + inDoubt();
    }
}
