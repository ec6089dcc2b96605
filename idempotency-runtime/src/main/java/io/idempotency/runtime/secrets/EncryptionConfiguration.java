package io.idempotency.runtime.secrets;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;

/** {@code idempotency.encryption.*}. */
@ConfigurationProperties(EncryptionConfiguration.PREFIX)
interface EncryptionConfiguration {

    /** Where the properties are. */
    String PREFIX = "idempotency.encryption";

    /** The key with which this node encrypts recorded outcomes: 32 bytes in Base64. Left out, they are stored as they are. */
    @Nullable
    String getKey();

    /**
     * Keys with which this node can also decrypt: those before {@code key}, and the next one before it is in use (32 bytes in
     * Base64 each).
     */
    @Nullable
    List<String> getOtherKeys();

    /**
     * Whether an outcome that is not encrypted is refused: for the time when no record from before the encryption is
     * left.
     */
    @Bindable(defaultValue = "false")
    boolean isRequired();
}
