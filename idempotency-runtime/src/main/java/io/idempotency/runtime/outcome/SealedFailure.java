package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A failure as a store keeps it where outcomes are hidden: message and code as one sealed text, the type readable. */
public final class SealedFailure {

    /** Starts with a control character, which is removed from a message that happens to start with this prefix. */
    private static final String PREFIX = "\u0001sealed:";

    private static final int MAX_MESSAGE = 2000;

    private SealedFailure() {}

    /** Returns the failure as a store keeps it. */
    public static StoredFailure of(Seal seal, RecordId id, StoredFailure failure) {
        String message = failure.message();
        if (!seal.hides()) {
            return message == null || !message.startsWith(PREFIX)
                    ? failure
                    : new StoredFailure(failure.type(), message.substring(1), failure.code());
        }
        if (message == null && failure.code() == null) {
            return failure;
        }
        String sealed = sealed(seal, id, message, failure.code());
        for (int length = MAX_MESSAGE; sealed.length() > MAX_MESSAGE; length -= length / 4) {
            String shorter = message == null ? null : RecordedFailure.shortened(message, length);
            sealed = sealed(seal, id, shorter, failure.code());
        }
        return new StoredFailure(failure.type(), sealed, null);
    }

    private static String sealed(Seal seal, RecordId id, @Nullable String message, @Nullable String code) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RecordedFailure.write(new DataOutputStream(bytes), message, code);
        return PREFIX + Base64.getEncoder().encodeToString(seal.seal(id, bytes.toByteArray()));
    }

    /**
     * Opens a stored failure.
     *
     * @throws IOException when it cannot be opened
     */
    public static StoredFailure opened(Seal seal, RecordId id, StoredFailure stored) throws IOException {
        String message = stored.message();
        if (message == null || !message.startsWith(PREFIX)) {
            if (seal.refusesPlain() && (message != null || stored.code() != null)) {
                throw new IOException("it is not encrypted, and idempotency.encryption.required says that all are");
            }
            return stored;
        }
        byte[] sealed;
        try {
            sealed = Base64.getDecoder().decode(message.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            throw new IOException("its sealed text is damaged", e);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(seal.open(id, sealed)));
        String text = RecordedFailure.read(in);
        return new StoredFailure(stored.type(), text, RecordedFailure.read(in));
    }
}
