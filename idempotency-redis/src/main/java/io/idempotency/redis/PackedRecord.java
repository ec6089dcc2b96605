package io.idempotency.redis;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the bytes of a record. The first 44 are numbers that the scripts write (record.lua has the layout).
 * Then come two parts, each with a checksum, that are written here: the identity, and the outcome or the doubt. In
 * format 2 the claim's arguments are between them; the scripts drop the arguments when they settle the record.
 */
record PackedRecord(RecordId id, byte[] packed, ByteBuffer head) {

    private static final int HEAD = 44;
    private static final long PRIME = 4_294_967_291L;
    private static final int CHECKSUM = 8;
    private static final int LONGEST_TEXT = 30_000;

    /** The expiry of a record that is kept for ever. */
    private static final long FOREVER = (1L << 48) - 1;

    /** The longest duration that fits when the clock is added. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** Reads a record at a time of its server; returns null when it is over, and only its fence is remembered. */
    static @Nullable StoredRecord read(RecordId id, byte[] packed, long nowMillis) {
        try {
            return new PackedRecord(id, packed, ByteBuffer.wrap(packed)).read(nowMillis);
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
        char format = (char) packed[0];
        require(format == '1' || format == '2', "its format is " + format + ", this version reads formats 1 and 2");
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
                expires == FOREVER ? null : Instant.ofEpochMilli(expires),
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

    /** Checks the checksum of a part, and returns the part as a buffer that ends where the part ends. */
    private ByteBuffer part(int from, int to, int checksum, String name) {
        byte[] said = Arrays.copyOfRange(packed, checksum, checksum + CHECKSUM);
        require(Arrays.equals(checksum(packed, from, to), said), "its " + name + " was changed");
        return ByteBuffer.wrap(packed, from, to - from);
    }

    private static @Nullable StoredResult result(ByteBuffer rest) {
        byte kind = rest.get();
        if (kind == 'o') {
            long size = rest.getLong();
            return new StoredResult.Omitted(text(rest, rest.remaining()), size);
        }
        return kind == 'r' ? new StoredResult.Present(taken(rest, rest.remaining())) : null;
    }

    private static @Nullable StoredFailure failure(ByteBuffer rest) {
        String type = next(rest);
        return type == null ? null : new StoredFailure(type, next(rest), next(rest));
    }

    private static @Nullable String next(ByteBuffer rest) {
        int length = rest.getInt();
        return length < 0 ? null : text(rest, length);
    }

    private static String text(ByteBuffer part, int length) {
        return new String(taken(part, length), StandardCharsets.UTF_8);
    }

    /** Reads bytes; checks the length before it allocates. */
    private static byte[] taken(ByteBuffer part, int length) {
        if (length > part.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        part.get(bytes);
        return bytes;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the whole milliseconds of a duration, at least one. */
    static byte[] bytes(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return bytes(Long.toString(Math.max(1, bounded.toMillis())));
    }

    /** Returns whole milliseconds; for {@link IdempotencyStore#FOREVER} so many that the record never expires. */
    static byte[] retention(Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? bytes(Long.toString(FOREVER)) : bytes(retention);
    }

    static byte[] identity(Claim claim) {
        byte[] owner = bytes(claim.owner());
        byte[] operation = bytes(claim.operation());
        byte[] fingerprint = bytes(claim.fingerprint());
        if (owner.length > 255 || operation.length > LONGEST_TEXT || fingerprint.length > LONGEST_TEXT) {
            throw new IllegalArgumentException("Record " + claim.id()
                    + " was not claimed and the body did not run: its owner is longer than 255 bytes, or its fingerprint or"
                    + " the name of its operation than " + LONGEST_TEXT);
        }
        byte[] part = joined(
                number(owner.length, 1),
                owner,
                number(operation.length, 2),
                number(fingerprint.length, 2),
                operation,
                fingerprint);
        return joined(part, checksum(part, 0, part.length));
    }

    /** Returns the arguments after their length; nothing without any. They have no checksum, because they are sealed. */
    static byte[] arguments(@Nullable StoredArguments arguments) {
        return arguments == null
                ? new byte[0]
                : joined(number(Integer.BYTES + arguments.bytes().length, Integer.BYTES), arguments.bytes());
    }

    /** Returns the fence and owner of a claim, as the scripts compare them. */
    static byte[] holder(Ownership ownership) {
        byte[] owner = bytes(ownership.owner());
        return joined(fence(ownership.fence()), number(owner.length, 1), owner);
    }

    /** Returns the seven bytes of a fence; those of a fence that no record can have match no record. */
    static byte[] fence(long fence) {
        return number(fence < 0 || fence >= 1L << 53 ? -1 : fence, 7);
    }

    static byte[] outcome(StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            return checked(bytes("r"), present.bytes());
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        return checked(bytes("o"), number(omitted.size(), Long.BYTES), bytes(omitted.reason()));
    }

    static byte[] outcome(StoredFailure failure) {
        return checked(text(failure.type()), text(failure.message()), text(failure.code()));
    }

    static byte[] doubt(String reason) {
        return checked(bytes(reason));
    }

    private static byte[] text(@Nullable String text) {
        byte[] bytes = text == null ? new byte[0] : bytes(text);
        return joined(number(text == null ? -1 : bytes.length, Integer.BYTES), bytes);
    }

    private static byte[] checked(byte[]... parts) {
        byte[] content = joined(parts);
        return joined(checksum(content, 0, content.length), content);
    }

    private static byte[] number(long value, int bytes) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return Arrays.copyOfRange(all, Long.BYTES - bytes, Long.BYTES);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Returns the first digits of the SHA-1 of some bytes, which reveal damage and changes by hand. */
    static byte[] checksum(byte[] bytes, int from, int to) {
        return bytes(sha1(bytes, from, to).substring(0, CHECKSUM));
    }

    /** Returns the SHA-1 in hexadecimal digits. Scripts can compute it too, and Redis names scripts by it. */
    static String sha1(byte[] bytes, int from, int to) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bytes, from, to - from);
            return HexFormat.of().formatHex(sha1.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-1, by which Redis names scripts", e);
        }
    }
}
