package io.idempotency.test;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredArguments;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The claims that the contract makes: a fresh one, and what differs from it. */
final class Claims {

    private Claims() {}

    /** The first call for a key that was not used before; its lease and retention outlast the test. */
    static Claim fresh() {
        RecordId id = RecordId.of("tck", null, null, UUID.randomUUID().toString());
        return new Claim(
                id, "charge-payment", "v1:5feceb66", token(), StoreContract.LONG, StoreContract.RETENTION, false);
    }

    /** Another call with the same key and arguments. */
    static Claim duplicateOf(Claim claim) {
        return with(
                arguments(claim, null),
                claim.operation(),
                claim.fingerprint(),
                token(),
                claim.lease(),
                claim.retention());
    }

    static Claim takingOver(Claim claim) {
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                claim.lease(),
                claim.retention(),
                true);
    }

    static Claim operation(Claim claim, String operation) {
        return with(claim, operation, claim.fingerprint(), claim.owner(), claim.lease(), claim.retention());
    }

    static Claim fingerprint(Claim claim, String fingerprint) {
        return with(claim, claim.operation(), fingerprint, claim.owner(), claim.lease(), claim.retention());
    }

    static Claim owner(Claim claim, String owner) {
        return with(claim, claim.operation(), claim.fingerprint(), owner, claim.lease(), claim.retention());
    }

    static Claim lease(Claim claim, Duration lease) {
        return with(claim, claim.operation(), claim.fingerprint(), claim.owner(), lease, claim.retention());
    }

    static Claim arguments(Claim claim, @Nullable StoredArguments arguments) {
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                claim.lease(),
                claim.retention(),
                claim.takeOver(),
                arguments);
    }

    static Claim retention(Claim claim, Duration retention) {
        return with(claim, claim.operation(), claim.fingerprint(), claim.owner(), claim.lease(), retention);
    }

    private static Claim with(
            Claim claim, String operation, String fingerprint, String owner, Duration lease, Duration retention) {
        return new Claim(
                claim.id(), operation, fingerprint, owner, lease, retention, claim.takeOver(), claim.arguments());
    }

    private static String token() {
        return UUID.randomUUID().toString();
    }
}
