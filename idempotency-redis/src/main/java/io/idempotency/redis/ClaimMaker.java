package io.idempotency.redis;

import static io.idempotency.redis.PackedRecord.bytes;
import static java.util.Objects.requireNonNull;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.ReplayShare;
import io.idempotency.runtime.store.StoreFullException;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredRecord;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How a claim is made: a look first where that is worth it, then the script, once more where the server has to be asked first. */
final class ClaimMaker {

    /** How much longer a record has to be kept than what is known of the server's clock, for a look alone to answer from it. */
    private static final long MARGIN_MILLIS = 1000;

    /** A replay that comes without a look takes a WAIT with it: of equally many first calls and replays that cost more than it saved. */
    private static final int LOOK_FIRST_BESIDE_REPLICAS = 25;

    private final ScriptRunner scripts;
    private final RecordLook look;
    private final DurabilityCheck durability;
    private final SettledChannel settled;
    private final ReplayShare replays;
    private final @Nullable AcknowledgedTransport replicas;
    private final long timeoutMicros;

    /** With what waits for replicas, null where nothing does. */
    ClaimMaker(
            ScriptRunner scripts,
            @Nullable AcknowledgedTransport replicas,
            RecordLook look,
            DurabilityCheck durability,
            SettledChannel settled,
            RedisIdempotencyConfiguration configuration) {
        this.scripts = scripts;
        this.look = look;
        this.durability = durability;
        this.settled = settled;
        int percent = replicas == null
                ? configuration.getLookFirstFrom()
                : Math.min(configuration.getLookFirstFrom(), LOOK_FIRST_BESIDE_REPLICAS);
        this.replays = percent < 0 ? ReplayShare.none() : new ReplayShare(percent);
        this.replicas = replicas;
        this.timeoutMicros = configuration.getCommandTimeout().toNanos() / 1000;
    }

    /**
     * A look comes first where most calls are replays; and where others wait for replicas, because what only reads does not
     * wait for them.
     */
    CompletionStage<ClaimResult> make(Claim claim) {
        String key = scripts.keyOf(claim.id());
        if (settled.heard(claim.id())) {
            return sent(claim, key, true);
        } else if (replays.askFirst() || replicas != null && !replicas.idle()) {
            return looked(claim, key);
        } else if (replicas == null) {
            return sent(claim, key, true);
        }
        return sent(claim, key, false)
                .exceptionallyCompose(
                        failure -> ScriptRunner.cause(failure) instanceof AcknowledgedTransport.HeldUpException
                                ? looked(claim, key)
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletionStage<ClaimResult> looked(Claim claim, String key) {
        return look.at(key).thenCompose(packed -> {
            if (packed.length == 0) {
                return sent(claim, key, true);
            }
            Long now = scripts.millisOf(scripts.serverOf(key));
            PackedRecord found = new PackedRecord(claim.id(), packed);
            if (now != null && found.settledBeyond(now + MARGIN_MILLIS)) {
                return CompletableFuture.completedFuture(learned(claim, found.toRecord(now)));
            }
            return replicas == null ? sent(claim, key, true) : sentUnlessDecided(claim, key);
        });
    }

    private ClaimResult learned(Claim claim, StoredRecord record) {
        replays.learn(record);
        return ClaimResult.of(claim, record);
    }

    private CompletionStage<ClaimResult> sentUnlessDecided(Claim claim, String key) {
        return scripts.find(claim.id())
                .thenCompose(found -> found.filter(record -> decided(claim, record))
                        .map(record -> CompletableFuture.completedFuture(ClaimResult.of(claim, record)))
                        .orElseGet(() -> sent(claim, key, true).toCompletableFuture()));
    }

    private static boolean decided(Claim claim, StoredRecord record) {
        return !(ClaimResult.of(claim, record) instanceof ClaimResult.Acquired)
                && !(claim.takeOver() && record.state() == RecordState.IN_DOUBT);
    }

    private CompletionStage<ClaimResult> sent(Claim claim, String key, boolean patient) {
        String server = scripts.serverOf(key);
        long started = System.nanoTime();
        CompletableFuture<ClaimResult> result = new CompletableFuture<>();
        attempt(claim, key, server, durability.proof(server), patient).whenComplete((reply, failure) -> {
            if (failure == null && reply.verdict() == Reply.Verdict.LATE && inTime(started)) {
                // an answer in time that says "too late" means that the server's clock was set: it is known now
                ScriptRunner.staged(() -> attempt(claim, key, server, durability.proof(server), true))
                        .whenComplete((again, refused) -> answer(result, claim, again, refused));
            } else if (failure == null && reply.verdict() == Reply.Verdict.UNPROVEN) {
                ScriptRunner.staged(() -> durability.prove(reply.text()))
                        .thenCompose(proof -> attempt(claim, key, server, proof, true))
                        .whenComplete((again, refused) -> answer(result, claim, again, refused));
            } else {
                answer(result, claim, reply, failure);
            }
        });
        return result;
    }

    private boolean inTime(long started) {
        return System.nanoTime() - started < timeoutMicros * 1000;
    }

    private void answer(
            CompletableFuture<ClaimResult> result, Claim claim, @Nullable Reply reply, @Nullable Throwable failure) {
        try {
            if (reply == null) {
                result.completeExceptionally(full(ScriptRunner.cause(requireNonNull(failure))));
            } else if (reply.verdict() == Reply.Verdict.UNPROVEN) {
                result.completeExceptionally(durability.refusal(claim.id()));
            } else if (reply.verdict() == Reply.Verdict.LATE) {
                result.completeExceptionally(new RedisCommandTimeoutException(
                        "Redis read the claim of " + claim.id() + " too late, and did not make it"));
            } else {
                result.complete(learned(claim, reply.after(claim)));
            }
        } catch (Throwable e) { // an Error too: the caller waits
            result.completeExceptionally(e);
        }
    }

    /** Redis refuses the first write of a script at its limit, and a claim begins with it: nothing was claimed. */
    private static Throwable full(Throwable failure) {
        String said = String.valueOf(failure.getMessage());
        return failure instanceof RedisCommandExecutionException && said.startsWith("OOM")
                ? new StoreFullException(
                        "Redis is at its memory limit (" + said + "). Give it more (maxmemory)", failure)
                : failure;
    }

    private CompletionStage<Reply> attempt(Claim claim, String key, String server, String proof, boolean patient) {
        byte[][] asked = {
            PackedRecord.identity(claim),
            bytes(claim.lease()),
            PackedRecord.retention(claim.retention()),
            scripts.afterWaiting(server, timeoutMicros),
            bytes(proof),
            bytes((claim.takeOver() ? "t" : "") + (settled.heard(claim.id()) ? "w" : "")),
        };
        return scripts.claim(
                claim.id(), key, patient, claim.arguments() == null ? asked : with(asked, claim.arguments()));
    }

    private static byte[][] with(byte[][] asked, StoredArguments arguments) {
        byte[][] all = Arrays.copyOf(asked, asked.length + 1);
        all[asked.length] = PackedRecord.arguments(arguments);
        return all;
    }
}
