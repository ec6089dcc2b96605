package io.idempotency.redis;

import static io.idempotency.redis.PackedRecord.bytes;
import static io.idempotency.redis.PackedRecord.outcome;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Records in Redis, chosen by {@code idempotency.store: redis}. Redis itself forgets what is over, so
 * {@link #purge} only tidies the index of what is open. Stages complete on the driver's I/O threads: do not block there.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, SettlementSignals, AutoCloseable {

    private final RedisConnection link;
    private final @Nullable RedisConnection acknowledged;
    private final DurabilityCheck durability;
    private final SettledChannel settled;
    private final ScriptRunner scripts;
    private final RecordScan scan;
    private final OpenIndex index;
    private final ClaimMaker claims;

    /** With a second connection for what replicas have to acknowledge, null where they do not. */
    RedisIdempotencyStore(
            RedisConnection link, @Nullable RedisConnection acknowledged, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.acknowledged = acknowledged;
        this.durability = new DurabilityCheck(link, configuration);
        this.settled = new SettledChannel(link, configuration, SettledChannel.IDLE);
        int above = link.together() ? configuration.getBatchAbove() : -1;
        AcknowledgedTransport replicas =
                acknowledged == null ? null : new AcknowledgedTransport(acknowledged, configuration);
        this.scripts = new ScriptRunner(
                link,
                replicas == null ? transport(link, above) : replicas,
                configuration.getKeyPrefix(),
                this::unanswered);
        this.scan = new RecordScan(link, scripts, configuration.getKeyPrefix());
        this.index = new OpenIndex(link, scripts, scan);
        this.claims = new ClaimMaker(
                scripts, replicas, new RecordLook(link, above, this::unanswered), durability, settled, configuration);
    }

    private void unanswered() {
        link.unanswered();
        if (acknowledged != null) {
            acknowledged.unanswered();
        }
        settled.unanswered();
    }

    /** Makes the server ready; the store is usable when the stage completes. */
    CompletionStage<Void> prepare() {
        return scripts.prepare();
    }

    /** Fails when Redis does less than was asked of it, and from now on claims on no process that does less. */
    void require(RedisDurability found) {
        durability.start(found);
    }

    /** With the number of calls up to which each is sent by itself, negative for all of them. */
    private static Transport transport(RedisConnection link, int above) {
        Transport direct = new Transport.Direct(link);
        return above < 0 ? direct : new BatchedTransport(direct, above);
    }

    /**
     * Asks the servers what they do with records, now.
     *
     * @return what was asked of them and what they do; fails when a server cannot be reached
     */
    public CompletionStage<RedisDurability> durability() {
        return durability.ask();
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return claims.make(claim);
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        if (ResultLimit.fitsAnywhere(result)) {
            return settle(ownership, RecordState.COMPLETED, outcome(result), retention);
        }
        return ResultLimit.require(link, result)
                .thenCompose(fits -> settle(ownership, RecordState.COMPLETED, outcome(result), retention));
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(ownership, RecordState.FAILED, outcome(failure), retention);
    }

    private CompletionStage<Settled> settle(
            Ownership ownership, RecordState state, byte[] outcome, Duration retention) {
        return scripts.run(
                        Script.SETTLE,
                        ownership.id(),
                        PackedRecord.holder(ownership),
                        PackedRecord.retention(retention),
                        PackedRecord.letter(state),
                        outcome)
                .thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return scripts.run(
                        Script.DOUBT,
                        ownership.id(),
                        PackedRecord.holder(ownership),
                        PackedRecord.retention(retention),
                        PackedRecord.doubt(reason))
                .thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return scripts.run(
                        Script.RENEW,
                        ownership.id(),
                        PackedRecord.holder(ownership),
                        PackedRecord.retention(retention),
                        bytes(lease),
                        PackedRecord.doubt(RENEWED_LATE))
                .thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return scripts.run(Script.RELEASE, ownership.id(), PackedRecord.holder(ownership))
                .thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return scripts.find(id);
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return query.state() == RecordState.IN_PROGRESS || query.state() == RecordState.IN_DOUBT
                ? index.oldest(query)
                : scan.oldest(query);
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        if (resolution instanceof Resolution.Complete complete) {
            return decide(id, fence, note, RecordState.COMPLETED, complete.retention(), outcome(complete.result()));
        } else if (resolution instanceof Resolution.Fail fail) {
            return decide(id, fence, note, RecordState.FAILED, fail.retention(), outcome(fail.failure()));
        }
        return decide(id, fence, note, null, FOREVER, new byte[0]);
    }

    private CompletionStage<Settled> decide(
            RecordId id, long fence, AuditNote note, @Nullable RecordState state, Duration retention, byte[] outcome) {
        return scripts.run(
                        Script.RESOLVE,
                        id,
                        PackedRecord.fence(fence),
                        bytes(note.text()),
                        bytes(note.retention()),
                        PackedRecord.letter(state),
                        PackedRecord.retention(retention),
                        outcome)
                .thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return link.commands()
                .get(scripts.auditOf(id))
                .thenApply(trail -> trail == null
                        ? List.of()
                        : new String(trail, StandardCharsets.UTF_8).lines().toList());
    }

    @Override
    public CompletionStage<StoreHealth> health() {
        return durability()
                .thenApply(found -> new StoreHealth(
                        found.durable(),
                        Map.of(
                                "requiredDurability",
                                        found.required()
                                                .orElse(DurabilityLevel.NONE)
                                                .setting(),
                                "actualDurability", found.actual().setting())));
    }

    @Override
    public CompletionStage<OptionalLong> approximateSize() {
        return scan.approximateSize();
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return index.sweep(limit);
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.empty();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.of(this);
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return settled.listen(id, look);
    }

    @Override
    public void close() {
        durability.close();
        settled.close();
        if (acknowledged != null) {
            acknowledged.close();
        }
        link.close();
    }
}
