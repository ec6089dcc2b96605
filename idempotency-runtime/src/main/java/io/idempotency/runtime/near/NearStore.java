package io.idempotency.runtime.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers settled records of the store behind it, which change no more. What is in progress, in doubt or absent only the store
 * can tell (it marks what is waited for), and what a transaction sees may never be committed: none of these is remembered. Operation and fingerprint are
 * compared with what is remembered as a store compares them. Thread-safe.
 */
final class NearStore extends ForwardingStore {

    /** Of the time until the store forgets a record: its clock and this JVM's need not run at quite the same speed. */
    private static final int DRIFT = 1000;

    private final Duration limit;
    private final LongSupplier nanoTime;
    private final Runnable hit;
    private final Cache<RecordId, Near> cache;

    /** The end is this JVM's elapsed time. */
    private record Near(StoredRecord record, long untilNanos) {}

    NearStore(IdempotencyStore store, long maxWeight, Duration limit, LongSupplier nanoTime, Runnable hit) {
        super(store);
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.hit = hit;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxWeight)
                .<RecordId, Near>weigher((id, near) -> Weight.of(near.record))
                .expireAfterWrite(limit)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run) // its upkeep is short, and needs no thread of anybody's pool
                .build();
    }

    @Override
    public Optional<StoredRecord> remembered(RecordId id) {
        Near near = cache.getIfPresent(id);
        if (near == null || near.untilNanos - nanoTime.getAsLong() <= 0) {
            return Optional.empty();
        }
        hit.run();
        return Optional.of(near.record);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        Optional<StoredRecord> known = remembered(claim.id());
        if (known.isPresent()) {
            return CompletableFuture.completedFuture(ClaimResult.of(claim, known.get()));
        }
        long asked = nanoTime.getAsLong(); // before the store read its clock
        return super.claim(claim).thenApply(result -> {
            StoredRecord record = recordIn(result);
            if (record != null && lasts(record)) {
                keep(record, asked);
            }
            return result;
        });
    }

    private static @Nullable StoredRecord recordIn(ClaimResult result) {
        // no default: a new kind of answer is not remembered by mistake
        if (result instanceof ClaimResult.Duplicate duplicate) {
            return duplicate.record();
        } else if (result instanceof ClaimResult.OtherArguments other) {
            return other.record();
        } else if (result instanceof ClaimResult.OtherOperation other) {
            return other.record();
        }
        return null;
    }

    /** Where the result is not stored, the application may be asked for it, and that may block. */
    private static boolean lasts(StoredRecord record) {
        return switch (record.state()) {
            case COMPLETED -> record.result() instanceof StoredResult.Present;
            case FAILED -> true;
            case IN_PROGRESS, IN_DOUBT -> false;
        };
    }

    private void keep(StoredRecord record, long asked) {
        Duration left = limit;
        if (record.expiresAt() != null) {
            Duration stored = Duration.between(record.readAt(), record.expiresAt());
            stored = stored.minus(stored.dividedBy(DRIFT));
            left = stored.compareTo(limit) < 0 ? stored : limit;
        }
        cache.put(record.id(), new Near(record, asked + left.toNanos()));
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return super.resolve(id, fence, resolution, note).whenComplete((settled, failure) -> cache.invalidate(id));
    }

    /** What is expired is told nobody any more; here its memory is given back. */
    @Override
    public CompletionStage<Integer> purge(int most) {
        return super.purge(most)
                .whenComplete((removed, failure) ->
                        cache.asMap().values().removeIf(near -> near.untilNanos - nanoTime.getAsLong() <= 0));
    }
}
