package io.idempotency.redis.script;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The parts of a record that are written here, as arguments of the scripts; {@link PackedRecord} reads them. */
public final class RecordParts {

    private static final int CHECKSUM = 8;
    private static final int LONGEST_TEXT = 30_000;

    /** Added to the clock it still fits; longer durations count as this one. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private RecordParts() {}

    /** The letter of a state; null for absent. */
    public static byte[] letter(@Nullable RecordState state) {
        if (state == null) {
            return bytes("A");
        }
        return bytes(
                switch (state) {
                    case IN_PROGRESS -> "P";
                    case IN_DOUBT -> "D";
                    case COMPLETED -> "C";
                    case FAILED -> "F";
                });
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whole milliseconds, at least one. */
    public static long millis(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : Math.max(1, duration.toMillis());
    }

    public static byte[] bytes(Duration duration) {
        return bytes(Long.toString(millis(duration)));
    }

    /** Empty for ever. */
    public static byte[] retention(Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? new byte[0] : bytes(retention);
    }

    /** Who claims, and what. */
    public static byte[] identity(Claim claim) {
        byte[] owner = bytes(claim.owner());
        byte[] operation = bytes(claim.operation());
        byte[] fingerprint = bytes(claim.fingerprint());
        if (owner.length > 255 || operation.length > LONGEST_TEXT || fingerprint.length > LONGEST_TEXT) {
            throw new IllegalArgumentException("Record " + claim.id()
                    + " was not claimed and the body did not run: its owner is longer than 255 bytes, or its fingerprint or"
                    + " the name of its operation than " + LONGEST_TEXT);
        }
        ByteBuffer part = ByteBuffer.allocate(5 + owner.length + operation.length + fingerprint.length + CHECKSUM);
        part.put((byte) owner.length).put(owner);
        part.putShort((short) operation.length).putShort((short) fingerprint.length);
        part.put(operation).put(fingerprint);
        return part.put(Checksum.of(part.array(), 0, part.position())).array();
    }

    /** Behind its length, this one included. They are sealed, and tell by themselves whether they were changed. */
    public static byte[] arguments(StoredArguments arguments) {
        int length = length(arguments);
        return ByteBuffer.allocate(length).putInt(length).put(arguments.bytes()).array();
    }

    private static int length(StoredArguments arguments) {
        return Integer.BYTES + arguments.bytes().length;
    }

    /** Who holds a claim, as the scripts compare it. */
    public static byte[] holder(Ownership ownership) {
        byte[] owner = bytes(ownership.owner());
        return ByteBuffer.allocate(8 + owner.length)
                .put(fence(ownership.fence()))
                .put((byte) owner.length)
                .put(owner)
                .array();
    }

    /** Seven bytes; those of a fence that no record can have match none. */
    public static byte[] fence(long fence) {
        if (fence < 0 || fence >= 1L << 53) {
            return new byte[] {-1, -1, -1, -1, -1, -1, -1};
        }
        return Arrays.copyOfRange(ByteBuffer.allocate(Long.BYTES).putLong(fence).array(), 1, Long.BYTES);
    }

    public static byte[] outcome(StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            return checked(ByteBuffer.allocate(CHECKSUM + 1 + present.bytes().length)
                    .position(CHECKSUM)
                    .put((byte) 'r')
                    .put(present.bytes()));
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        byte[] reason = bytes(omitted.reason());
        return checked(ByteBuffer.allocate(CHECKSUM + 1 + Long.BYTES + reason.length)
                .position(CHECKSUM)
                .put((byte) 'o')
                .putLong(omitted.size())
                .put(reason));
    }

    public static byte[] outcome(StoredFailure failure) {
        byte[] type = bytes(failure.type());
        byte @Nullable [] message = failure.message() == null ? null : bytes(failure.message());
        byte @Nullable [] code = failure.code() == null ? null : bytes(failure.code());
        ByteBuffer part = ByteBuffer.allocate(
                        CHECKSUM + 3 * Integer.BYTES + type.length + length(message) + length(code))
                .position(CHECKSUM);
        put(part, type);
        put(part, message);
        put(part, code);
        return checked(part);
    }

    /** Why it is not known. */
    public static byte[] doubt(String reason) {
        byte[] text = bytes(reason);
        return checked(
                ByteBuffer.allocate(CHECKSUM + text.length).position(CHECKSUM).put(text));
    }

    private static int length(byte @Nullable [] text) {
        return text == null ? 0 : text.length;
    }

    private static void put(ByteBuffer part, byte @Nullable [] text) {
        part.putInt(text == null ? -1 : text.length);
        if (text != null) {
            part.put(text);
        }
    }

    private static byte[] checked(ByteBuffer part) {
        byte[] all = part.array();
        System.arraycopy(Checksum.of(all, CHECKSUM, all.length), 0, all, 0, CHECKSUM);
        return all;
    }
}
