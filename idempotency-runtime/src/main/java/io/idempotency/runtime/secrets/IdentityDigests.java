package io.idempotency.runtime.secrets;

import io.idempotency.runtime.store.RecordId;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Digests that are part of a key's identity, or must not change while its record is kept: HMAC-SHA-256 under
 * {@code idempotency.fingerprint.identity-secret}, or SHA-256 without it. The secret does not rotate, because under
 * another one a key finds no record, and its body runs again. All nodes make the same digests. Thread-safe.
 */
@Singleton
public final class IdentityDigests {

    private final KeyedDigest digester;

    IdentityDigests(FingerprintConfiguration configuration) {
        String written = configuration.getIdentitySecret();
        this.digester = written == null
                ? KeyedDigest.PLAIN
                : KeyedDigest.of(FingerprintConfiguration.PREFIX + ".identity-secret", written);
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
}
