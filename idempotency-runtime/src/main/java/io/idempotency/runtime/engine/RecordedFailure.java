package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.StoredFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A failure whose answer is stored as the result of its key, behind a mark that no codec's bytes begin with: those that
 * do are marked as results.
 *
 * @param failure what the body threw
 * @param answer what its caller was answered
 */
record RecordedFailure(StoredFailure failure, byte[] answer) {

    /** Not UTF-8, and no status of a response. */
    private static final byte[] MARK = {(byte) 0xff, (byte) 0xfe, 'i', 'd'};

    private static final byte FAILURE = 'F';
    private static final byte RESULT = 'R';

    byte[] encoded() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(MARK);
        out.write(FAILURE);
        write(out, failure.type());
        write(out, failure.message());
        write(out, failure.code());
        out.write(answer);
        return bytes.toByteArray();
    }

    /** What is stored of a codec's bytes: nearly always the same. */
    static byte[] escaped(byte[] result) {
        if (!marked(result)) {
            return result;
        }
        byte[] escaped = Arrays.copyOf(MARK, MARK.length + 1 + result.length);
        escaped[MARK.length] = RESULT;
        System.arraycopy(result, 0, escaped, MARK.length + 1, result.length);
        return escaped;
    }

    /** A codec's bytes as they were. */
    static byte[] unescaped(byte[] stored) {
        return marked(stored) ? Arrays.copyOfRange(stored, MARK.length + 1, stored.length) : stored;
    }

    /** Null when what is stored is a result. */
    static @Nullable RecordedFailure in(byte[] stored) throws IOException {
        if (!marked(stored) || stored.length > MARK.length && stored[MARK.length] == RESULT) {
            return null;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored));
        in.skipNBytes(MARK.length);
        if (in.readByte() != FAILURE) {
            throw new IOException("The stored result is of an unknown kind");
        }
        String type = read(in);
        String message = read(in);
        String code = read(in);
        return new RecordedFailure(new StoredFailure(type == null ? "" : type, message, code), in.readAllBytes());
    }

    private static boolean marked(byte[] bytes) {
        return bytes.length >= MARK.length && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        byte[] utf8 = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text == null ? -1 : utf8.length);
        out.write(utf8);
    }

    private static @Nullable String read(DataInputStream in) throws IOException {
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

    /** The mapping of arrays by content, as everywhere else. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordedFailure that
                && failure.equals(that.failure)
                && Arrays.equals(answer, that.answer);
    }

    @Override
    public int hashCode() {
        return failure.hashCode() * 31 + Arrays.hashCode(answer);
    }

    @Override
    public String toString() {
        return "RecordedFailure[" + failure + ", " + answer.length + " bytes]";
    }
}
