package io.idempotency.redis.script;

import static io.idempotency.redis.script.RecordParts.CHECKSUM;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks a record as Redis has it: one string. Its first 44 bytes are numbers that the scripts write (record.lua has the
 * layout); then come two parts that {@link RecordParts} writes, each with a checksum: the identity, and the outcome or the doubt.
 * Between them a record of format 2 has the claim's arguments, which the scripts drop when they settle it.
 */
public final class PackedRecord {

    private static final int HEAD = 44;
    private static final long PRIME = 4_294_967_291L;

    private final RecordId id;
    private final byte[] packed;
    private final ByteBuffer head;

    private PackedRecord(RecordId id, byte[] packed) {
        this.id = id;
        this.packed = packed;
        this.head = ByteBuffer.wrap(packed);
    }

    /**
     * Reads a record; fails with {@link UnreadableRecordException}.
     *
     * @param packed the bytes of its key
     * @param nowMillis the time of its server
     * @return null where the record is over, and only its fence is remembered
     */
    public static @Nullable StoredRecord read(RecordId id, byte[] packed, long nowMillis) {
        try {
            return new PackedRecord(id, packed).read(nowMillis);
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UnreadableRecordException(id, "its parts are not as long as they say: " + e);
        }
    }

    private void require(boolean sound, String problem) {
        if (!sound) {
            throw new UnreadableRecordException(id, problem);
        }
    }

    private @Nullable StoredRecord read(long nowMillis) {
        require(packed.length > 0, "it is cut off");
        char format = (char) packed[0];
        require(format == '1' || format == '2', "its format is " + format + ", this version reads formats 1 and 2");
        require(packed.length >= HEAD, "it is cut off");
        head.position(2);
        long letter = number(1);
        long check = number(4);
        long attempt = number(4);
        long claimed = number(6);
        long leaseUntil = number(6);
        long expires = number(6);
        long settled = number(6);
        long size = number(2);
        long fence = number(7);
        long sum = letter + 3 * attempt + 5 * claimed + 7 * leaseUntil + 11 * expires + 13 * settled + 17 * size;
        require((sum + fence % PRIME) % PRIME == check, "one of its numbers was changed");
        if (letter == 'A' || expires <= nowMillis) {
            return null;
        }
        int end = HEAD + (int) size;
        ByteBuffer identity = part(HEAD, end - CHECKSUM, end - CHECKSUM, "owner, operation or fingerprint");
        String owner = text(identity, identity.get() & 0xff);
        int operation = identity.getShort() & 0xffff;
        int fingerprint = identity.getShort() & 0xffff;
        StoredArguments arguments = format == '2' ? argumentsAt(end) : null;
        int from = arguments == null ? end : end + Integer.BYTES + arguments.bytes().length;
        ByteBuffer rest =
                packed.length == from ? ByteBuffer.allocate(0) : part(from + CHECKSUM, packed.length, from, "outcome");
        RecordState state = state((char) letter, leaseUntil <= nowMillis);
        boolean open = state == RecordState.IN_PROGRESS || state == RecordState.IN_DOUBT;
        return new StoredRecord(
                id,
                text(identity, operation),
                text(identity, fingerprint),
                state,
                owner,
                fence,
                (int) attempt,
                Instant.ofEpochMilli(claimed),
                Instant.ofEpochMilli(leaseUntil),
                settled == 0 ? null : Instant.ofEpochMilli(settled),
                expires == RecordParts.FOREVER ? null : Instant.ofEpochMilli(expires),
                Instant.ofEpochMilli(nowMillis),
                state == RecordState.COMPLETED ? result(rest) : null,
                state == RecordState.FAILED ? failure(rest) : null,
                open && rest.hasRemaining() ? text(rest, rest.remaining()) : null,
                open ? arguments : null);
    }

    private long number(int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | head.get() & 0xff;
        }
        return number;
    }

    private StoredArguments argumentsAt(int offset) {
        long length = head.getInt(offset) & 0xffff_ffffL;
        require(length >= Integer.BYTES && length <= packed.length - offset, "its arguments are cut off");
        return new StoredArguments(Arrays.copyOfRange(packed, offset + Integer.BYTES, offset + (int) length));
    }

    private RecordState state(char letter, boolean leaseOver) {
        return switch (letter) {
            case 'P' -> leaseOver ? RecordState.IN_DOUBT : RecordState.IN_PROGRESS;
            case 'D' -> RecordState.IN_DOUBT;
            case 'C' -> RecordState.COMPLETED;
            case 'F' -> RecordState.FAILED;
            default -> throw new UnreadableRecordException(id, "its state is " + (int) letter);
        };
    }

    /** A part whose checksum is right; it cannot reach beyond itself. */
    private ByteBuffer part(int from, int to, int checksum, String name) {
        boolean whole = from <= to && checksum + CHECKSUM <= packed.length;
        byte[] said = whole ? Arrays.copyOfRange(packed, checksum, checksum + CHECKSUM) : new byte[0];
        require(whole && Arrays.equals(RecordParts.checksum(packed, from, to), said), "its " + name + " was changed");
        return ByteBuffer.wrap(packed, from, to - from);
    }

    private static @Nullable StoredResult result(ByteBuffer rest) {
        if (!rest.hasRemaining()) {
            return null;
        }
        byte kind = rest.get();
        if (kind == 'o') {
            long size = rest.getLong();
            return new StoredResult.Omitted(text(rest, rest.remaining()), size);
        }
        return kind == 'r' ? new StoredResult.Present(taken(rest, rest.remaining())) : null;
    }

    private static @Nullable StoredFailure failure(ByteBuffer rest) {
        String type = rest.hasRemaining() ? next(rest) : null;
        return type == null ? null : new StoredFailure(type, next(rest), next(rest));
    }

    private static @Nullable String next(ByteBuffer rest) {
        int length = rest.getInt();
        return length < 0 ? null : text(rest, length);
    }

    private static String text(ByteBuffer part, int length) {
        return new String(taken(part, length), StandardCharsets.UTF_8);
    }

    /** Nothing is allocated for a length that is not there. */
    private static byte[] taken(ByteBuffer part, int length) {
        if (length > part.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        part.get(bytes);
        return bytes;
    }
}
