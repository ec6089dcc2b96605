package io.idempotency.redis.script;

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
 * A record as Redis has it: one string. Its first 44 bytes are numbers that the scripts write (head.lua has the layout);
 * then come two parts that {@link RecordParts} writes, each with a checksum: who and what, and the outcome or the doubt. Between them
 * a record of format 2 has the claim's arguments, which the scripts drop when they settle it.
 */
public final class PackedRecord {

    private static final int FORMAT = '1';
    private static final int WITH_ARGUMENTS = '2';
    private static final int HEAD = 44;
    private static final long FOREVER = (1L << 48) - 1;
    private static final long PRIME = 4_294_967_291L;
    private static final int CHECKSUM = Checksum.LENGTH;

    private final RecordId id;
    private final byte[] packed;
    private final ByteBuffer head;

    /** The bytes of a record's key. */
    public PackedRecord(RecordId id, byte[] packed) {
        this.id = id;
        this.packed = packed;
        this.head = ByteBuffer.wrap(packed);
    }

    /**
     * Reads and checks all of it; fails with {@link UnreadableRecordException}.
     *
     * @param nowMillis the time of its server
     * @return null where the record is over, and only its fence is remembered
     */
    public @Nullable StoredRecord toRecord(long nowMillis) {
        try {
            checkHead();
            return packed[2] == 'A' || number(23, 6) <= nowMillis ? null : read(nowMillis);
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new UnreadableRecordException(id, "its parts are not as long as they say: " + e);
        }
    }

    private void checkHead() {
        boolean known = packed.length > 0 && (packed[0] == FORMAT || packed[0] == WITH_ARGUMENTS);
        if (packed.length < HEAD || !known) {
            throw new UnreadableRecordException(
                    id,
                    packed.length > 0 && !known
                            ? "its format is " + (char) packed[0] + ", this version reads formats 1 and 2"
                            : "it is cut off");
        }
        long numbers = packed[2]
                + 3 * number(7, 4)
                + 5 * number(11, 6)
                + 7 * number(17, 6)
                + 11 * number(23, 6)
                + 13 * number(29, 6)
                + 17 * number(35, 2)
                + number(37, 7) % PRIME;
        if (numbers % PRIME != number(3, 4)) {
            throw new UnreadableRecordException(id, "one of its numbers was changed");
        }
    }

    private long number(int offset, int bytes) {
        long number = 0;
        for (int i = offset; i < offset + bytes; i++) {
            number = number << 8 | head.get(i) & 0xff;
        }
        return number;
    }

    private StoredRecord read(long nowMillis) {
        int end = HEAD + (int) number(35, 2);
        ByteBuffer identity = part(HEAD, end - CHECKSUM, end - CHECKSUM, "owner, operation or fingerprint");
        String owner = text(identity, identity.get() & 0xff);
        int operation = identity.getShort() & 0xffff;
        int fingerprint = identity.getShort() & 0xffff;
        StoredArguments arguments = packed[0] == WITH_ARGUMENTS ? argumentsAt(end) : null;
        int from = arguments == null ? end : end + Integer.BYTES + arguments.bytes().length;
        ByteBuffer rest =
                packed.length == from ? ByteBuffer.allocate(0) : part(from + CHECKSUM, packed.length, from, "outcome");
        Instant leaseUntil = instant(17);
        long expires = number(23, 6);
        RecordState state = state(leaseUntil.toEpochMilli() <= nowMillis);
        return new StoredRecord(
                id,
                text(identity, operation),
                text(identity, fingerprint),
                state,
                owner,
                number(37, 7),
                (int) number(7, 4),
                instant(11),
                leaseUntil,
                number(29, 6) == 0 ? null : instant(29),
                expires == FOREVER ? null : instant(23),
                Instant.ofEpochMilli(nowMillis),
                state == RecordState.COMPLETED ? result(rest) : null,
                state == RecordState.FAILED ? failure(rest) : null,
                state == RecordState.COMPLETED || state == RecordState.FAILED || !rest.hasRemaining()
                        ? null
                        : text(rest, rest.remaining()),
                state == RecordState.COMPLETED || state == RecordState.FAILED ? null : arguments);
    }

    private StoredArguments argumentsAt(int offset) {
        long length = number(offset, 4);
        if (length < Integer.BYTES || length > packed.length - offset) {
            throw new UnreadableRecordException(id, "its arguments are cut off");
        }
        return new StoredArguments(Arrays.copyOfRange(packed, offset + Integer.BYTES, offset + (int) length));
    }

    private RecordState state(boolean leaseOver) {
        return switch (packed[2]) {
            case 'P' -> leaseOver ? RecordState.IN_DOUBT : RecordState.IN_PROGRESS;
            case 'D' -> RecordState.IN_DOUBT;
            case 'C' -> RecordState.COMPLETED;
            case 'F' -> RecordState.FAILED;
            default -> throw new UnreadableRecordException(id, "its state is " + packed[2]);
        };
    }

    /** A part whose checksum is right; it cannot reach beyond itself. */
    private ByteBuffer part(int from, int to, int checksum, String name) {
        if (from > to
                || checksum + CHECKSUM > packed.length
                || !Arrays.equals(Checksum.of(packed, from, to), 0, CHECKSUM, packed, checksum, checksum + CHECKSUM)) {
            throw new UnreadableRecordException(id, "its " + name + " was changed");
        }
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

    private Instant instant(int offset) {
        return Instant.ofEpochMilli(number(offset, 6));
    }
}
