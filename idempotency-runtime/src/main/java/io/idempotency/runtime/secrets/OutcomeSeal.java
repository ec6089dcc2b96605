package io.idempotency.runtime.secrets;

import io.idempotency.runtime.outcome.OutcomeKind;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compresses and encrypts recorded outcomes as the configuration says, and reads those of any other configuration. */
@Singleton
public final class OutcomeSeal implements Seal {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeSeal.class);

    private final Compression compression;
    private final Map<String, EncryptionKey> keys = new HashMap<>();
    private final @Nullable EncryptionKey writing;
    private final boolean required;

    OutcomeSeal(EncryptionConfiguration encryption, CompressionConfiguration compression) {
        this.compression = new Compression(compression);
        for (String other : Objects.requireNonNullElse(encryption.getOtherKeys(), List.<String>of())) {
            EncryptionKey key = EncryptionKey.of(EncryptionConfiguration.PREFIX + ".other-keys", other);
            keys.put(key.id(), key);
        }
        String key = encryption.getKey();
        this.writing = key == null ? null : EncryptionKey.of(EncryptionConfiguration.PREFIX + ".key", key);
        if (writing != null) {
            keys.put(writing.id(), writing);
            LOG.info(
                    "Recorded outcomes are encrypted with the key {}, and read with any of {}",
                    writing.id(),
                    keys.keySet());
        }
        this.required = encryption.isRequired();
        if (required && writing == null) {
            throw new ConfigurationException(EncryptionConfiguration.PREFIX + ".required: it is true and there is no "
                    + EncryptionConfiguration.PREFIX + ".key, so nothing that this node records could be read again."
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
                        "it is not encrypted, and " + EncryptionConfiguration.PREFIX + ".required says that all are");
            }
            return bytes;
        }
        String used = EncryptionKey.idIn(bytes);
        EncryptionKey key = keys.get(used);
        if (key == null) {
            throw new IOException("it was encrypted with the key " + used + ", which this node does not have; it has "
                    + keys.keySet() + ". Add it to " + EncryptionConfiguration.PREFIX + ".other-keys");
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
}
