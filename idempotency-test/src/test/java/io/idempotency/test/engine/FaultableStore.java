package io.idempotency.test.engine;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store whose verbs can be cut: before they are applied, or applied with the answer lost. */
final class FaultableStore implements IdempotencyStore {

    enum Verb {
        CLAIM,
        COMPLETE,
        FAIL,
        RELEASE,
        DOUBT,
        RENEW
    }

    enum Fault {
        BEFORE,
        ANSWER_LOST
    }

    private final IdempotencyStore store;
    private final Map<Verb, Fault> faults = new EnumMap<>(Verb.class);
    private final Map<Verb, Runnable> before = new EnumMap<>(Verb.class);

    FaultableStore(IdempotencyStore store) {
        this.store = store;
    }

    void cut(Verb verb, Fault fault) {
        faults.put(verb, fault);
    }

    void cutAll() {
        for (Verb verb : Verb.values()) {
            cut(verb, Fault.BEFORE);
        }
    }

    void mend() {
        faults.clear();
    }

    void before(Verb verb, Runnable action) {
        before.put(verb, action);
    }

    private <T> CompletionStage<T> through(Verb verb, Supplier<CompletionStage<T>> call) {
        before.getOrDefault(verb, () -> {}).run();
        Fault fault = faults.get(verb);
        if (fault == Fault.BEFORE) {
            return lost(verb);
        }
        CompletionStage<T> answer = call.get();
        return fault == Fault.ANSWER_LOST ? answer.thenCompose(done -> lost(verb)) : answer;
    }

    private static <T> CompletionStage<T> lost(Verb verb) {
        return CompletableFuture.failedFuture(new IllegalStateException("cut at " + verb));
    }

    @Override
    public String name() {
        return "faultable";
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return through(Verb.CLAIM, () -> store.claim(claim));
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        return through(Verb.COMPLETE, () -> store.complete(ownership, result, retention));
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return through(Verb.FAIL, () -> store.fail(ownership, failure, retention));
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return through(Verb.RELEASE, () -> store.release(ownership));
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return through(Verb.DOUBT, () -> store.doubt(ownership, reason, retention));
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return through(Verb.RENEW, () -> store.renew(ownership, lease, retention));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return store.find(id);
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordState state, Duration olderThan, int limit) {
        return store.list(state, olderThan, limit);
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution) {
        return store.resolve(id, fence, resolution);
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return store.purge(limit);
    }
}
