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

    private final Digester digester;

    IdentityDigests(FingerprintConfiguration configuration) {
        String written = configuration.getIdentitySecret();
        this.digester = written == null
                ? Digester.PLAIN
                : Digester.of(FingerprintConfiguration.PREFIX + ".identity-secret", written);
    }

    /**
     * Whether there is a secret.
     *
     * @return false for plain digests
     */
    public boolean areKeyed() {
        return digester.isKeyed();
    }

    /**
     * What stands for a key in its record's id. Behind a secret whoever steals the store cannot try which keys there are.
     *
     * @param key the key's canonical text
     * @return the text itself without a secret
     */
    public String key(String key) {
        return digester.isKeyed() ? digester.digest("key", List.of(key)) : key;
    }

    /**
     * The key of a downstream call. Without a secret whoever knows the record's id can compute it.
     *
     * @param id the record of the operation that makes the call
     * @param name tells the calls of one operation apart
     * @return 64 lower-case hexadecimal digits
     */
    public String derivedKey(RecordId id, String name) {
        return digester.isKeyed() ? digest("derived-key", List.of(id.value(), name)) : id.derive(name);
    }

    /**
     * A digest of several values.
     *
     * @param purpose keeps the digests of one purpose apart from those of another
     * @param parts what is digested, in order
     * @return 64 lower-case hexadecimal digits
     */
    public String digest(String purpose, List<String> parts) {
        return digester.digest(purpose, parts);
    }
}
