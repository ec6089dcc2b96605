package io.idempotency.redis;

import static io.idempotency.redis.PackedRecord.bytes;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes a claim with one script, and sends it again after learning the server's clock or durability. Thread-safe. */
record Claims(Scripts scripts, DurabilityCheck durability, SettledChannel settled, Duration timeout) {

    ClaimResult make(Claim claim) {
        if (scripts.held() && !settled.heard(claim.id())) {
            StoredRecord found = scripts.run(Script.FIND, claim.id()).record();
            if (found != null && decides(found, claim)) {
                return ClaimResult.of(claim, found);
            }
        }
        String server = scripts.serverOf(claim.id());
        long started = System.nanoTime();
        Reply reply = attempt(claim, server, durability.proof(server));
        if (reply.verdict() == Reply.Verdict.LATE && System.nanoTime() - started < timeout.toNanos()) {
            // the answer came in time, so the server's clock was set; the answer has told the new time
            reply = attempt(claim, server, durability.proof(server));
        } else if (reply.verdict() == Reply.Verdict.UNPROVEN) {
            reply = attempt(claim, server, durability.prove(reply.text()));
        }
        if (reply.verdict() == Reply.Verdict.UNPROVEN) {
            throw durability.refusal(claim.id());
        } else if (reply.verdict() == Reply.Verdict.LATE) {
            throw new RedisCommandTimeoutException(
                    "Redis read the claim of " + claim.id() + " too late, and did not make it");
        }
        return reply.answer(claim);
    }

    /** Tells whether reading the record answers the claim: not a record in doubt, which replicas must receive first. */
    private static boolean decides(StoredRecord found, Claim claim) {
        return !(ClaimResult.of(claim, found) instanceof ClaimResult.Acquired) && found.state() != RecordState.IN_DOUBT;
    }

    private Reply attempt(Claim claim, String server, String proof) {
        String wait = settled.heard(claim.id()) ? "w" : "";
        String wishes = (claim.takeOver() ? "t" : "") + wait + (scripts.acknowledges() ? "r" : "");
        List<byte[]> asked = new ArrayList<>(List.of(
                PackedRecord.identity(claim),
                bytes(claim.lease()),
                PackedRecord.retention(claim.retention()),
                scripts.deadline(server),
                bytes(proof),
                bytes(wishes)));
        if (claim.arguments() != null) {
            asked.add(PackedRecord.arguments(claim.arguments()));
        }
        try {
            return scripts.run(Script.CLAIM, claim.id(), asked.toArray(byte[][]::new));
        } catch (RedisCommandExecutionException e) {
            String said = String.valueOf(e.getMessage());
            throw said.startsWith("OOM")
                    ? new StoreFullException("Redis is at its memory limit (" + said + "). Give it more (maxmemory)", e)
                    : e;
        }
    }
}
