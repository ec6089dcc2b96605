package io.idempotency.runtime.secrets;

import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compresses and encrypts recorded outcomes as configured, and reads outcomes of any other configuration. */
@Singleton
public final class OutcomeSeal implements Seal {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeSeal.class);

    private final Compression compression;
    private final Map<String, EncryptionKey> keys = new HashMap<>();
    private final @Nullable EncryptionKey writing;
    private final boolean required;

    OutcomeSeal(Configuration encryption, Compression.Configuration compression) {
        this.compression = new Compression(compression);
        for (String other : Objects.requireNonNullElse(encryption.getOtherKeys(), List.<String>of())) {
            EncryptionKey key = EncryptionKey.of(Configuration.PREFIX + ".other-keys", other);
            keys.put(key.id(), key);
        }
        String key = encryption.getKey();
        this.writing = key == null ? null : EncryptionKey.of(Configuration.PREFIX + ".key", key);
        if (writing != null) {
            keys.put(writing.id(), writing);
            LOG.info(
                    "Recorded outcomes are encrypted with the key {}, and read with any of {}",
                    writing.id(),
                    keys.keySet());
        }
        this.required = encryption.isRequired();
        if (required && writing == null) {
            throw new ConfigurationException(Configuration.PREFIX + ".required: it is true and there is no "
                    + Configuration.PREFIX + ".key, so nothing that this node records could be read again."
                    + " Set the key.");
        }
    }

    @Override
    public byte[] seal(RecordId id, byte[] bytes) {
        byte[] smaller = compression.compressed(bytes);
        return writing == null ? smaller : writing.encrypted(id, smaller);
    }

    @Override
    public byte[] open(RecordId id, byte[] bytes) throws IOException {
        byte[] smaller = decrypted(id, bytes);
        return OutcomeKind.COMPRESSED.marks(smaller) ? compression.expanded(smaller) : smaller;
    }

    private byte[] decrypted(RecordId id, byte[] bytes) throws IOException {
        if (!OutcomeKind.ENCRYPTED.marks(bytes)) {
            if (required) {
                throw new IOException(
                        "it is not encrypted, and " + Configuration.PREFIX + ".required says that all are");
            }
            return bytes;
        }
        String used = EncryptionKey.idIn(bytes);
        EncryptionKey key = keys.get(used);
        if (key == null) {
            throw new IOException("it was encrypted with the key " + used + ", which this node does not have; it has "
                    + keys.keySet() + ". Add it to " + Configuration.PREFIX + ".other-keys");
        }
        return key.decrypted(id, bytes);
    }

    @Override
    public boolean hides() {
        return writing != null;
    }

    @Override
    public boolean refusesPlain() {
        return required;
    }

    /** {@code idempotency.encryption.*}. */
    @ConfigurationProperties(Configuration.PREFIX)
    interface Configuration {

        String PREFIX = "idempotency.encryption";

        /** The key with which this node encrypts recorded outcomes: 32 bytes in Base64. Left out, they are stored as they are. */
        @io.micronaut.core.annotation.Nullable
        String getKey();

        /**
         * Keys with which this node can also decrypt: those before {@code key}, and the next one before it is in use (32 bytes in
         * Base64 each).
         */
        @io.micronaut.core.annotation.Nullable
        List<String> getOtherKeys();

        /**
         * Whether an outcome that is not encrypted is refused: for the time when no record from before the encryption is
         * left.
         */
        @Bindable(defaultValue = "false")
        boolean isRequired();
    }
}
