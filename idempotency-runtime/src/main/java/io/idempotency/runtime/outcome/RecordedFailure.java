package io.idempotency.runtime.outcome;

import io.idempotency.runtime.store.StoredFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A failure with its answer, stored as the result of its key behind the mark of its {@link OutcomeKind}.
 *
 * @param failure the body's exception
 * @param answer the encoded answer that its caller got
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record RecordedFailure(StoredFailure failure, byte[] answer) {

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
            throw new IOException("The stored result is of an unknown kind");
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

    static void write(DataOutputStream out, @Nullable String... texts) {
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

    static @Nullable String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] utf8 = in.readNBytes(length);
        if (utf8.length < length) {
            throw new IOException("The stored failure is cut off");
        }
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
