package io.idempotency.runtime.secrets;

import io.idempotency.runtime.store.RecordId;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Digests that are part of a key's identity or must stay the same for as long as its record is kept: HMAC-SHA-256 where
 * {@code idempotency.fingerprint.identity-secret} is set, SHA-256 otherwise. That secret does not rotate, because under
 * another one a key finds no record, and a body runs again. They are the same on every node. Thread-safe.
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

    /** Whether there is a secret; false for plain digests. */
    public boolean areKeyed() {
        return digester.isKeyed();
    }

    /**
     * What stands for a key in its record's id. Under a secret, the thief of a store cannot try which keys there
     * are; without one it is the text itself.
     *
     * @param key the key's canonical text
     */
    public String key(String key) {
        return digester.isKeyed() ? digester.digest("key", List.of(key)) : key;
    }

    /**
     * The key of a downstream call. Without a secret it can be computed from the record's id. 64 lower-case hexadecimal
     * digits.
     */
    public String derivedKey(RecordId id, String name) {
        return digester.isKeyed() ? digest("derived-key", List.of(id.value(), name)) : id.derive(name);
    }

    /** A digest of several values; 64 lower-case hexadecimal digits. */
    public String digest(String purpose, List<String> parts) {
        return digester.digest(purpose, parts);
    }
}
