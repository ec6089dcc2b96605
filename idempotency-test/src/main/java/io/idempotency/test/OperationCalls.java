package io.idempotency.test;

import io.idempotency.runtime.IdempotencyEvent;
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

    /** Returns how many keys became in doubt and were not settled by an operator since. */
    public int inDoubt() {
        Set<RecordId> keys = new HashSet<>();
        for (IdempotencyEvent event : events) {
            if (event instanceof IdempotencyEvent.InDoubt doubt) {
                keys.add(doubt.id());
            } else if (event instanceof IdempotencyEvent.Resolved resolved) {
                keys.remove(resolved.id());
            }
        }
        return keys.size();
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
