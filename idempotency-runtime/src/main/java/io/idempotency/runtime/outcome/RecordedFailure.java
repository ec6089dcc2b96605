package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A failure with its answer, stored as the result of its key behind the mark of its {@link OutcomeKind}. A failure
 * without an answer is stored as such; where outcomes are hidden, message and code are one sealed text.
 *
 * @param failure the body's exception
 * @param answer the encoded answer that its caller got
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record RecordedFailure(StoredFailure failure, byte[] answer) {

    /** Starts with a control character, which is removed from a message that happens to start with this prefix. */
    private static final String SEALED = "\u0001sealed:";

    private static final int MAX_SEALED = 2000;

    /** Returns the bytes that a store keeps. */
    public byte[] encoded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(OutcomeKind.FAILURE.mark());
        write(new DataOutputStream(bytes), failure.type(), failure.message(), failure.code());
        bytes.writeBytes(answer);
        return bytes.toByteArray();
    }

    /** Returns a codec's bytes as they are stored: unchanged, unless they begin like a mark. */
    public static byte[] escaped(byte[] result) {
        if (!OutcomeKind.anyMarks(result)) {
            return result;
        }
        byte[] escaped = Arrays.copyOf(OutcomeKind.RESULT.mark(), OutcomeKind.LENGTH + result.length);
        System.arraycopy(result, 0, escaped, OutcomeKind.LENGTH, result.length);
        return escaped;
    }

    /** Returns the codec's bytes of a stored result. */
    public static byte[] unescaped(byte[] stored) {
        return OutcomeKind.RESULT.marks(stored)
                ? Arrays.copyOfRange(stored, OutcomeKind.LENGTH, stored.length)
                : stored;
    }

    /** Reads a stored failure; returns null when the bytes are a result. */
    public static @Nullable RecordedFailure in(byte[] stored) throws IOException {
        if (!OutcomeKind.anyMarks(stored) || OutcomeKind.RESULT.marks(stored)) {
            return null;
        }
        if (!OutcomeKind.FAILURE.marks(stored)) {
            throw new IOException("it is of a kind that this version does not know");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored));
        in.skipNBytes(OutcomeKind.LENGTH);
        String type = read(in);
        String message = read(in);
        String code = read(in);
        return new RecordedFailure(new StoredFailure(type == null ? "" : type, message, code), in.readAllBytes());
    }

    /** Shortens a text that is too long for a record, and marks the cut by an ellipsis. */
    public static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + '…';
    }

    /** Returns a failure without an answer as a store keeps it. */
    public static StoredFailure sealed(Seal seal, RecordId id, StoredFailure failure) {
        String message = failure.message();
        if (!seal.hides()) {
            return message == null || !message.startsWith(SEALED)
                    ? failure
                    : new StoredFailure(failure.type(), message.substring(1), failure.code());
        }
        if (message == null && failure.code() == null) {
            return failure;
        }
        String sealed = sealed(seal, id, message, failure.code());
        for (int length = MAX_SEALED; sealed.length() > MAX_SEALED; length -= length / 4) {
            String shorter = message == null ? null : shortened(message, length);
            sealed = sealed(seal, id, shorter, failure.code());
        }
        return new StoredFailure(failure.type(), sealed, null);
    }

    private static String sealed(Seal seal, RecordId id, @Nullable String message, @Nullable String code) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(new DataOutputStream(bytes), message, code);
        return SEALED + Base64.getEncoder().encodeToString(seal.seal(id, bytes.toByteArray()));
    }

    /** Opens a stored failure; throws when it cannot be opened. */
    public static StoredFailure opened(Seal seal, RecordId id, StoredFailure stored) throws IOException {
        String message = stored.message();
        if (message == null || !message.startsWith(SEALED)) {
            if (seal.refusesPlain() && (message != null || stored.code() != null)) {
                throw new IOException("it is not encrypted, and idempotency.encryption.required says that all are");
            }
            return stored;
        }
        byte[] sealed;
        try {
            sealed = Base64.getDecoder().decode(message.substring(SEALED.length()));
        } catch (IllegalArgumentException e) {
            throw new IOException("its sealed text is damaged", e);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(seal.open(id, sealed)));
        String text = read(in);
        return new StoredFailure(stored.type(), text, read(in));
    }

    private static void write(DataOutputStream out, @Nullable String... texts) {
        try {
            for (String text : texts) {
                byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
                out.writeInt(text == null ? -1 : utf8.length);
                out.write(utf8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("An array in memory could not be written", e);
        }
    }

    private static @Nullable String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] utf8 = in.readNBytes(length);
        if (utf8.length < length) {
            throw new IOException("it is cut off");
        }
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
