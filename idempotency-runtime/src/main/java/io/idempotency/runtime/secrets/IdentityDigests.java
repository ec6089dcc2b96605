package io.idempotency.runtime.secrets;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Digests that are part of a key's identity, or must not change while its record is kept: HMAC-SHA-256 under
 * {@code idempotency.fingerprint.identity-secret}, or SHA-256 without it. The secret does not rotate, because under
 * another one a key finds no record, and its body runs again. All nodes make the same digests. Thread-safe.
 */
@Singleton
public final class IdentityDigests {

    private static final Logger LOG = LoggerFactory.getLogger(IdentityDigests.class);

    /** The operation of the record. No call has an empty key, so no call has this record's id. */
    private static final String OPERATION = "idempotency-identity";

    private static final RecordId ID = RecordId.of(OPERATION, null, null, "");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int SHOWN_DIGITS = 8;

    private static final String PROPERTY = FingerprintForms.Configuration.PREFIX + ".identity-secret";

    private final KeyedDigest digester;

    IdentityDigests(FingerprintForms.Configuration configuration) {
        String written = configuration.getIdentitySecret();
        this.digester = written == null ? KeyedDigest.PLAIN : KeyedDigest.of(PROPERTY, written);
    }

    /** Tells whether there is a secret; false for plain digests. */
    public boolean areKeyed() {
        return digester.isKeyed();
    }

    /**
     * Returns what a record's id is made from in place of a canonical key: the key itself, or under a secret a digest,
     * so that a stolen store does not reveal which keys exist.
     */
    public String key(String key) {
        return digester.isKeyed() ? digester.digest("key", List.of(key)) : key;
    }

    /** Returns the key of a downstream call: 64 hexadecimal digits, computable from the id where there is no secret. */
    public String derivedKey(RecordId id, String name) {
        return digester.isKeyed() ? digest("derived-key", List.of(id.value(), name)) : id.derive(name);
    }

    /** Returns a digest of several values, 64 lower-case hexadecimal digits. */
    public String digest(String purpose, List<String> parts) {
        return digester.digest(purpose, parts);
    }

    /**
     * Compares this node's secret with that of the nodes before it, before any key is claimed: under two secrets one
     * key has two records, and its body runs twice. The first node with a secret writes a digest under it into the
     * store, in a record that never expires.
     *
     * @throws ConfigurationException when it differs, or when this node has a secret and the store does not answer
     */
    public void requireSame(IdempotencyStore store) {
        if (!areKeyed()) {
            requireNone(store);
            return;
        }
        String digest = digest("verification", List.of());
        Claim claim =
                new Claim(ID, OPERATION, digest, UUID.randomUUID().toString(), LEASE, IdempotencyStore.FOREVER, true);
        ClaimResult claimed = answer(store, () -> store.claim(claim));
        if (claimed instanceof ClaimResult.Acquired acquired) {
            Ownership ownership = new Ownership(ID, claim.owner(), acquired.fence());
            StoredResult nothing = new StoredResult.Present(new byte[0]);
            answer(store, () -> store.complete(ownership, nothing, IdempotencyStore.FOREVER));
        } else if (claimed instanceof ClaimResult.OtherArguments other) {
            throw differs(store, "That of this node is the one that makes " + shown(digest), other.record());
        }
    }

    /** Refuses this node where other nodes have a secret. A store that is down does not stop a node without one. */
    private static void requireNone(IdempotencyStore store) {
        Optional<StoredRecord> found;
        try {
            found = store.find(ID);
        } catch (RuntimeException e) {
            LOG.warn(
                    "The store '{}' does not say whether other nodes have an {}, which this one has not. If they have, retries"
                            + " run their bodies again.",
                    store.name(),
                    PROPERTY,
                    e);
            return;
        }
        found.ifPresent(record -> {
            throw differs(store, "This node has none", record);
        });
    }

    private static <T> T answer(IdempotencyStore store, Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    "The store '" + store.name() + "' does not say under which " + PROPERTY
                            + " its records were made, and"
                            + " under another one every retry would run its body again. The application does not start."
                            + " Start it when the store answers: " + e,
                    e);
        }
    }

    private static ConfigurationException differs(IdempotencyStore store, String own, StoredRecord record) {
        return new ConfigurationException(PROPERTY + " differs from that of the nodes that used the store '"
                + store.name() + "' before. " + own + ", and the store has " + shown(record.fingerprint())
                + ". Under another secret every key is a new one, and every retry runs its body again, so the application"
                + " does not start. Give all nodes the same secret. If it is to change, stop all nodes, wait until no"
                + " client retries, and delete the record " + ID + " from the store (docs/security.md).");
    }

    private static String shown(String digest) {
        return digest.substring(0, SHOWN_DIGITS) + "…";
    }
}
