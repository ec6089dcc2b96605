package io.idempotency.redis;

import static io.idempotency.redis.RecordFields.bytes;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Records in Redis, chosen by {@code idempotency.store: redis}. Redis itself forgets what is over, so that
 * {@link #purge} has nothing to do. Stages complete on the driver's I/O threads: do not block there.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, SettlementSignals, AutoCloseable {

    private final RedisConnection link;
    private final DurabilityCheck durability;
    private final SettledChannel settled;
    private final ScriptRunner scripts;
    private final RecordScan scan;
    private final long timeoutMicros;

    RedisIdempotencyStore(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.durability = new DurabilityCheck(link, configuration);
        this.settled = new SettledChannel(link, configuration, SettledChannel.IDLE);
        this.scripts =
                new ScriptRunner(link, transport(link, configuration), configuration.getKeyPrefix(), this::unanswered);
        this.scan = new RecordScan(link, scripts, configuration.getKeyPrefix());
        this.timeoutMicros = configuration.getCommandTimeout().toNanos() / 1000;
    }

    private void unanswered() {
        link.unanswered();
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

    private static Transport transport(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        int replicas = configuration.getReplicaAcknowledgements();
        return replicas == 0
                ? new Transport.Direct(link)
                : new AcknowledgedTransport(link, replicas, configuration.getReplicaAcknowledgementTimeout());
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
        return attempt(claim)
                // an answer in time that says "too late" means that the server's clock was set: it is known now
                .thenCompose(reply -> reply.verdict() == Reply.Verdict.LATE
                        ? attempt(claim)
                        : CompletableFuture.completedFuture(reply))
                .thenCompose(reply -> reply.verdict() == Reply.Verdict.UNPROVEN
                        ? durability.prove(reply.runId()).thenCompose(proof -> attempt(claim, proof))
                        : CompletableFuture.completedFuture(reply))
                .thenApply(reply -> {
                    if (reply.verdict() == Reply.Verdict.UNPROVEN) {
                        throw durability.refusal(claim.id());
                    }
                    return ClaimResult.of(claim, reply.after(claim));
                });
    }

    private CompletionStage<Reply> attempt(Claim claim) {
        return attempt(claim, durability.proof(scripts.serverOf(claim.id())));
    }

    private CompletionStage<Reply> attempt(Claim claim, String proof) {
        return scripts.run(
                Script.CLAIM,
                claim.id(),
                List.of(
                        bytes(claim.operation()),
                        bytes(claim.fingerprint()),
                        bytes(claim.owner()),
                        bytes(claim.lease()),
                        RecordFields.retention(claim.retention()),
                        bytes(claim.takeOver() ? "1" : "0"),
                        scripts.afterWaiting(claim.id(), timeoutMicros),
                        bytes(settled.heard(claim.id()) ? "1" : "0"),
                        bytes(proof)));
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        return ResultLimit.require(link, result)
                .thenCompose(fits -> asOwner(Script.COMPLETE, ownership, retention, RecordFields.outcome(result)));
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return asOwner(Script.FAIL, ownership, retention, RecordFields.outcome(failure));
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return asOwner(Script.DOUBT, ownership, retention, List.of(bytes(reason)));
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return asOwner(Script.RENEW, ownership, retention, List.of(bytes(lease)));
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return asOwner(Script.RELEASE, ownership, FOREVER, List.of());
    }

    private CompletionStage<Settled> asOwner(
            Script script, Ownership ownership, Duration retention, List<byte[]> rest) {
        List<byte[]> arguments = new ArrayList<>(3 + rest.size());
        arguments.add(bytes(ownership.owner()));
        arguments.add(bytes(Long.toString(ownership.fence())));
        arguments.add(RecordFields.retention(retention));
        arguments.addAll(rest);
        return scripts.run(script, ownership.id(), arguments).thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return scripts.run(Script.FIND, id, List.of()).thenApply(reply -> Optional.ofNullable(reply.record()));
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return scan.oldest(query);
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(bytes(Long.toString(fence)));
        arguments.add(bytes(note.text()));
        arguments.add(bytes(note.retention()));
        if (resolution instanceof Resolution.Complete complete) {
            arguments.add(bytes(RecordState.COMPLETED.name()));
            arguments.add(RecordFields.retention(complete.retention()));
            arguments.addAll(RecordFields.outcome(complete.result()));
        } else if (resolution instanceof Resolution.Fail fail) {
            arguments.add(bytes(RecordState.FAILED.name()));
            arguments.add(RecordFields.retention(fail.retention()));
            arguments.addAll(RecordFields.outcome(fail.failure()));
        } else {
            arguments.add(bytes("ABSENT"));
        }
        return scripts.run(Script.RESOLVE, id, arguments).thenApply(Reply::settled);
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return scripts.run(Script.AUDIT, id, List.of())
                .thenApply(reply -> reply.text().lines().toList());
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
    public CompletionStage<Integer> purge(int limit) {
        return CompletableFuture.completedFuture(0);
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
        link.close();
    }
}
