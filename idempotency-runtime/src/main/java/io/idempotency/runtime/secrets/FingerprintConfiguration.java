package io.idempotency.runtime.secrets;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** {@code idempotency.fingerprint.*}. */
@ConfigurationProperties(FingerprintConfiguration.PREFIX)
interface FingerprintConfiguration {

    String PREFIX = "idempotency.fingerprint";

    /**
     * The secret, of at least 16 characters, that keys the fingerprints and the marks of callers that this node writes; left
     * out, they are plain digests.
     */
    @Nullable
    String getSecret();

    /**
     * Secrets under which this node can also compare: those before {@code secret}, and the next one before it is in use (at
     * least 16 characters each).
     */
    @Nullable
    List<String> getOtherSecrets();

    /**
     * The secret that keys the ids of records, the digests of credentials and derived keys. It is part of every key's identity: with
     * another one every key is a new one, so it is never changed while a record is kept. At least 16 characters, the same on
     * every node; left out, they are plain digests.
     */
    @Nullable
    String getIdentitySecret();

    /** The version of the canonical form in which this node writes fingerprints; left out, the newest. */
    @Nullable
    Integer getVersion();
}
