package io.idempotency.redis;

import static io.idempotency.redis.script.PackedRecord.bytes;
import static io.idempotency.redis.script.PackedRecord.holder;
import static io.idempotency.redis.script.PackedRecord.letter;
import static io.idempotency.redis.script.PackedRecord.outcome;
import static io.idempotency.redis.script.PackedRecord.retention;

import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.Keys;
import io.idempotency.redis.script.PackedRecord;
import io.idempotency.redis.script.Reply;
import io.idempotency.redis.script.Script;
import io.idempotency.redis.script.Scripts;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Records in Redis, chosen by {@code idempotency.store: redis}. Each call sends one script and waits for its answer, at most
 * {@code idempotency.redis.command-timeout}. Redis itself forgets what is over, so {@link #purge} only tidies the index of what
 * is open.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, SettlementSignals, AutoCloseable {

    private static final String LARGEST_VALUE = "proto-max-bulk-len";

    /** Redis refuses a lower setting. */
    private static final int LOWEST_LARGEST_VALUE = 1 << 20;

    private final RedisConnection link;
    private final ScheduledExecutorService background;
    private final DurabilityCheck durability;
    private final SettledChannel settled;
    private final Scripts scripts;
    private final Keys keys;
    private final RecordLists lists;
    private final Claims claims;

    RedisIdempotencyStore(
            RedisConnection link, RedisIdempotencyConfiguration configuration, Consumer<RecordsMayBeMissing> alarm) {
        this.link = link;
        this.background = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, "idempotency-redis");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        this.durability = new DurabilityCheck(link, configuration, background, alarm);
        this.settled = new SettledChannel(link, configuration, background);
        this.keys = new Keys(configuration.getKeyPrefix());
        this.scripts = new Scripts(
                link,
                keys,
                new Scripts.Replicas(
                        configuration.getReplicaAcknowledgements(), configuration.getReplicaAcknowledgementTimeout()),
                configuration.getCommandTimeout(),
                this::unanswered);
        this.lists = new RecordLists(link, scripts, keys);
        this.claims = new Claims(scripts, durability, settled, configuration.getCommandTimeout());
    }

    private void unanswered() {
        link.unanswered();
        settled.unanswered();
    }

    /** Makes the server ready. Fails when Redis does less than was asked of it, and claims later on no process that does less. */
    void start() {
        scripts.prepare();
        durability.start();
    }

    /**
     * Asks the servers what they do with records, now.
     *
     * @return what was asked of them and what they do; fails when a server cannot be reached
     */
    public RedisDurability durability() {
        return durability.ask();
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return claims.make(claim);
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        requireRoom(result);
        return settle(ownership, RecordState.COMPLETED, outcome(result), retention);
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(ownership, RecordState.FAILED, outcome(failure), retention);
    }

    /**
     * Refuses a result that the server will never take, before it is sent: the server closes the connection on which it is sent a
     * value that is too large, with all that other calls wait for there.
     */
    private void requireRoom(StoredResult result) {
        int size = result instanceof StoredResult.Present present ? present.bytes().length : 0;
        if (size < LOWEST_LARGEST_VALUE) {
            return;
        }
        Map<String, String> settings;
        try {
            settings = scripts.await(link.commands().configGet(LARGEST_VALUE));
        } catch (RedisCommandExecutionException notPermitted) {
            return;
        }
        String most = settings.get(LARGEST_VALUE);
        if (most != null && size > Long.parseLong(most)) {
            throw new ResultRejectedException(
                    "it has " + size + " bytes, and Redis takes " + most + " (" + LARGEST_VALUE + ")");
        }
    }

    private Settled settle(Ownership ownership, RecordState state, byte[] outcome, Duration retention) {
        return run(Script.SETTLE, ownership.id(), holder(ownership), retention(retention), letter(state), outcome);
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return run(Script.DOUBT, ownership.id(), holder(ownership), retention(retention), PackedRecord.doubt(reason));
    }

    @Override
    public Settled release(Ownership ownership) {
        return run(Script.RELEASE, ownership.id(), holder(ownership));
    }

    /** Sends all of them before it waits for the first answer. */
    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        List<Supplier<Reply>> sent = scripts.begin(
                Script.RENEW,
                renewals.stream().map(renewal -> renewal.ownership().id()).toList(),
                renewals.stream().map(RedisIdempotencyStore::arguments).toList());
        return sent.stream().map(reply -> renewed(reply, sent.size() == 1)).toList();
    }

    private static byte[][] arguments(Renewal renewal) {
        return new byte[][] {
            holder(renewal.ownership()),
            retention(renewal.retention()),
            bytes(renewal.lease()),
            PackedRecord.doubt(RENEWED_LATE)
        };
    }

    /** A record that cannot be read must not end the renewal of others. */
    private static Settled renewed(Supplier<Reply> reply, boolean alone) {
        try {
            return reply.get().settled();
        } catch (UnreadableRecordException e) {
            if (alone) {
                throw e;
            }
            return new Settled.Stale(null);
        }
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return Optional.ofNullable(scripts.run(Script.FIND, id).record());
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return lists.oldest(query);
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        RecordState decided = null;
        Duration kept = FOREVER;
        byte[] outcome = new byte[0];
        if (resolution instanceof Resolution.Complete complete) {
            decided = RecordState.COMPLETED;
            kept = complete.retention();
            outcome = outcome(complete.result());
        } else if (resolution instanceof Resolution.Fail fail) {
            decided = RecordState.FAILED;
            kept = fail.retention();
            outcome = outcome(fail.failure());
        }
        return run(
                Script.RESOLVE,
                id,
                PackedRecord.fence(fence),
                bytes(note.text()),
                bytes(note.retention()),
                letter(decided),
                retention(kept),
                outcome);
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return run(
                Script.ERASE,
                id,
                bytes(note.text()),
                bytes(note.retention()),
                outcome(StoredResult.ERASED),
                PackedRecord.doubt(ERASED));
    }

    private Settled run(Script script, RecordId id, byte[]... arguments) {
        return scripts.run(script, id, arguments).settled();
    }

    @Override
    public List<String> audit(RecordId id) {
        byte[] trail = scripts.await(link.commands().get(keys.auditOf(id)));
        return trail == null
                ? List.of()
                : new String(trail, StandardCharsets.UTF_8).lines().toList();
    }

    @Override
    public StoreHealth health() {
        RedisDurability found = durability();
        Map<String, String> details = new HashMap<>();
        details.put(
                "requiredDurability",
                found.required().orElse(DurabilityLevel.NONE).setting());
        details.put("actualDurability", found.actual().setting());
        RecordsMayBeMissing missing = durability.missing();
        if (missing != null) {
            details.put("recordsMayBeMissing", missing.toString());
        }
        return new StoreHealth(found.durable(), details);
    }

    /** All keys of the servers' databases: without reading them it cannot be told whose they are. */
    @Override
    public OptionalLong approximateSize() {
        return OptionalLong.of(link.masters().values().stream()
                .mapToLong(master -> scripts.await(master.dbsize()))
                .sum());
    }

    @Override
    public int purge(int limit) {
        return lists.sweep(limit);
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
        background.shutdownNow();
        scripts.close();
        link.close();
    }
}
