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

    /**
     * The key with which this node encrypts recorded outcomes.
     *
     * @return 32 bytes in Base64; null to store them as they are
     */
    @Nullable
    String getKey();

    /**
     * Keys with which this node can also decrypt: those before {@code key}, and the next one before it is in use.
     *
     * @return 32 bytes in Base64 each; null for none
     */
    @Nullable
    List<String> getOtherKeys();

    /**
     * Whether an outcome that is not encrypted is refused, once no record from before the encryption is left.
     *
     * @return false to replay such ones too
     */
    @Bindable(defaultValue = "false")
    boolean isRequired();
}
