package io.idempotency.runtime.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request to own a key.
 *
 * @param operation the operation's name; a record of another operation is never claimed over
 * @param fingerprint the arguments' fingerprint, at most 100 characters; a record of another one is never claimed over
 * @param owner a token unique to this call, at most 64 characters; a claim sent twice with one token is one claim
 * @param lease how long the claim stands without renewal, at least one millisecond
 * @param retention how long the record is kept while it is not settled, or {@link IdempotencyStore#FOREVER}
 * @param takeOver whether a record in doubt is claimed again, with a higher fence and attempt
 * @param arguments what is kept with the record until it is settled; null for nothing. Replaces an abandoned claim's
 *     arguments
 */
public record Claim(
        RecordId id,
        String operation,
        String fingerprint,
        String owner,
        Duration lease,
        Duration retention,
        boolean takeOver,
        @Nullable StoredArguments arguments) {

    /** Creates a claim without arguments. */
    public Claim(
            RecordId id,
            String operation,
            String fingerprint,
            String owner,
            Duration lease,
            Duration retention,
            boolean takeOver) {
        this(id, operation, fingerprint, owner, lease, retention, takeOver, null);
    }

    /** Returns this claim without arguments, for a caller that keeps it only to give it back. */
    public Claim withoutArguments() {
        return new Claim(id, operation, fingerprint, owner, lease, retention, takeOver);
    }

    /** Returns this claim with the fingerprint of the same arguments in another form. */
    public Claim with(String other) {
        return new Claim(id, operation, other, owner, lease, retention, takeOver, arguments);
    }
}
