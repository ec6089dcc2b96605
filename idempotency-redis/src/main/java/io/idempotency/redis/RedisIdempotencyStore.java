package io.idempotency.redis;

import static io.idempotency.redis.PackedRecord.bytes;
import static io.idempotency.redis.PackedRecord.holder;
import static io.idempotency.redis.PackedRecord.outcome;
import static io.idempotency.redis.PackedRecord.retention;

import io.idempotency.runtime.group.ReplayCount;
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
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
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

/**
 * Keeps records in Redis. A call sends a script, and waits for its answer as long as the command time-out allows. Redis
 * itself removes expired records, so {@link #purge} only tidies the index of open ones.
 */
public final class RedisIdempotencyStore implements IdempotencyStore, AutoCloseable {

    private static final String LARGEST_VALUE = "proto-max-bulk-len";

    private final RedisConnection<?> link;
    private final ScheduledExecutorService background;
    final DurabilityCheck durability;
    private final SettledChannel settled;
    private final Scripts scripts;
    private final Keys keys;
    private final RecordLists lists;
    private final ReplayCount replays = new ReplayCount();

    /** Loads the scripts. Closes and throws when Redis is less durable than required, or refuses a command. */
    RedisIdempotencyStore(
            RedisConnection<?> link, RedisIdempotencyConfiguration configuration, Consumer<RecordsMayBeMissing> alarm) {
        this.link = link;
        this.background =
                new ScheduledThreadPoolExecutor(1, DurabilityCheck::thread, new ThreadPoolExecutor.DiscardPolicy());
        this.durability = new DurabilityCheck(link, configuration, background, alarm);
        this.settled = new SettledChannel(link, configuration, background);
        this.keys = new Keys(configuration.getKeyPrefix());
        this.scripts = new Scripts(link, keys, configuration);
        this.lists = new RecordLists(link, scripts, keys);
        try {
            durability.start(); // first: of a replica it says more than an error of WAIT
            scripts.prepare();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "redis";
    }

    /** Claims with one script, and sends it again after learning the server's clock or durability. */
    @Override
    public ClaimResult claim(Claim claim) {
        boolean answered = false;
        try {
            boolean held = scripts.acknowledged.held();
            if ((held || replays.prevail()) && !settled.heard(claim.id())) {
                // costs Redis a third of a script; of what is in doubt the script must tell replicas first
                Optional<StoredRecord> found = lists.look(claim.id());
                answered = found.isPresent();
                Optional<ClaimResult> seen = found.filter(
                                record -> record.hasOutcome() || held && record.state() == RecordState.IN_PROGRESS)
                        .map(record -> ClaimResult.of(claim, record));
                if (seen.orElse(null) instanceof ClaimResult.Duplicate duplicate) {
                    return replays.counted(duplicate);
                }
            }
            String server = scripts.serverOf(claim.id());
            Reply reply = claim(claim, server, durability.proof(server));
            answered = true;
            if (reply.verdict() == Reply.Verdict.LATE) {
                reply = claim(claim, server, durability.proof(server)); // the answer has told the server's new time
            } else if (reply.verdict() == Reply.Verdict.UNPROVEN) {
                reply = claim(claim, server, durability.prove(reply.text()));
            }
            return switch (reply.verdict()) {
                case UNPROVEN -> throw durability.refusal(claim.id());
                case LATE ->
                    throw new IllegalStateException(
                            "Redis read the claim of " + claim.id() + " too late, and did not make it");
                default -> replays.counted(reply.answer(claim));
            };
        } catch (RedisException | IllegalStateException e) {
            throw answered || !isAway(e) || scripts.acknowledged.required > 0 && finds(claim.id())
                    ? new ClaimsRefusedException(String.valueOf(e.getMessage()), e)
                    : e;
        }
    }

    /** Tells whether Redis answers over the connection that all callers share, though it took no further one. */
    private boolean finds(RecordId id) {
        try {
            find(id);
            return true;
        } catch (RedisException e) {
            return !isAway(e);
        }
    }

    /** Tells whether Redis cannot be reached or executes no command, rather than refuses this one. */
    private static boolean isAway(RuntimeException e) {
        return e instanceof RedisException
                && (!(e instanceof RedisCommandExecutionException)
                        || String.valueOf(e.getMessage()).matches("(?s)(LOADING|BUSY|CLUSTERDOWN)\\b.*"));
    }

    private Reply claim(Claim claim, String server, String proof) {
        String wait = settled.heard(claim.id()) ? "w" : "";
        String wishes = (claim.takeOver() ? "t" : "") + wait + (scripts.acknowledged.required > 0 ? "r" : "");
        try {
            return scripts.run(
                    Script.CLAIM,
                    claim.id(),
                    PackedRecord.identity(claim),
                    bytes(claim.lease()),
                    retention(claim.retention()),
                    scripts.deadline(server),
                    bytes(proof),
                    bytes(wishes),
                    PackedRecord.arguments(claim.arguments()));
        } catch (RedisCommandExecutionException e) {
            String said = String.valueOf(e.getMessage());
            throw said.contains("OOM command not allowed") // Redis 6 puts the script in front
                    ? new StoreFullException("Redis is at its memory limit (" + said + "). Give it more (maxmemory)", e)
                    : e;
        }
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return settle(ownership, "C", outcome(result), retention);
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return settle(ownership, "F", outcome(failure), retention);
    }

    /** Rejects an outcome that is too large before it is sent: Redis would close the connection that all calls share. */
    private void requireRoom(byte[] outcome) {
        if (outcome.length < 1 << 20) {
            return; // Redis takes no lower value for this setting
        }
        try {
            String most =
                    scripts.await(link.commands().configGet(LARGEST_VALUE)).get(LARGEST_VALUE);
            if (most != null && outcome.length > Long.parseLong(most)) {
                throw new ResultRejectedException(
                        "it has " + outcome.length + " bytes, and Redis takes " + most + " (" + LARGEST_VALUE + ")");
            }
        } catch (RedisCommandExecutionException notPermitted) {
            // CONFIG is not permitted: leaves the limit, by default 512 MB, to Redis
        }
    }

    private Settled settle(Ownership ownership, String state, byte[] outcome, Duration retention) {
        requireRoom(outcome);
        return run(Script.SETTLE, ownership.id(), holder(ownership), retention(retention), bytes(state), outcome);
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return run(Script.DOUBT, ownership.id(), holder(ownership), retention(retention), PackedRecord.doubt(reason));
    }

    @Override
    public Settled release(Ownership ownership) {
        return run(Script.RELEASE, ownership.id(), holder(ownership));
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return scripts.runAll(renewals.stream().map(this::renewal).toList());
    }

    private Call renewal(Renewal renewal) {
        return scripts.call(
                Script.RENEW,
                renewal.ownership().id(),
                holder(renewal.ownership()),
                retention(renewal.retention()),
                bytes(renewal.lease()),
                PackedRecord.doubt(RENEWED_LATE));
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
        if (resolution instanceof Resolution.Complete complete) {
            return resolve(id, fence, "C", outcome(complete.result()), complete.retention(), note);
        } else if (resolution instanceof Resolution.Fail fail) {
            return resolve(id, fence, "F", outcome(fail.failure()), fail.retention(), note);
        }
        return resolve(id, fence, "A", new byte[0], FOREVER, note);
    }

    private Settled resolve(RecordId id, long fence, String state, byte[] outcome, Duration retention, AuditNote note) {
        requireRoom(outcome);
        return run(
                Script.RESOLVE,
                id,
                PackedRecord.fence(fence),
                bytes(note.text()),
                bytes(note.retention()),
                bytes(state),
                retention(retention),
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
        String notes = trail == null ? "" : new String(trail, StandardCharsets.UTF_8);
        return notes.lines().toList();
    }

    @Override
    public StoreHealth health() {
        scripts.readClocks(); // throws while a master does not answer
        RedisDurability found = durability.ask();
        Map<String, String> details = new HashMap<>(Map.of(
                "requiredDurability", found.required().toString(),
                "actualDurability", found.actual().toString(),
                "connectedReplicas", Integer.toString(found.connectedReplicas())));
        Optional.ofNullable(durability.missing)
                .ifPresent(missing -> details.put("recordsMayBeMissing", missing.toString()));
        return new StoreHealth(found.met(), details);
    }

    /** Counts all keys of the servers' databases, also those of other applications. */
    @Override
    public OptionalLong approximateSize() {
        return OptionalLong.of(link.masters().values().stream()
                .mapToLong(master -> scripts.await(master.commands().dbsize()))
                .sum());
    }

    @Override
    public int purge(int limit) {
        return lists.sweep(limit);
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.of(settled);
    }

    @Override
    public void close() {
        background.shutdownNow();
        link.close();
    }
}
