package io.idempotency.redis.script;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a record that are arguments of the scripts; {@link PackedRecord} reads them. */
public final class RecordParts {

    /** The expiry of a record that is kept for ever. */
    static final long FOREVER = (1L << 48) - 1;

    /** Bytes of a checksum. */
    static final int CHECKSUM = 8;

    private static final int LONGEST_TEXT = 30_000;

    /** Added to the clock it still fits; longer durations count as this one. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private RecordParts() {}

    /** The letter of a settled record's state; null for absent. */
    public static byte[] letter(@Nullable RecordState settled) {
        return bytes(settled == null ? "A" : settled == RecordState.COMPLETED ? "C" : "F");
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whole milliseconds, at least one. */
    public static byte[] bytes(Duration duration) {
        Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        return bytes(Long.toString(Math.max(1, bounded.toMillis())));
    }

    /** Whole milliseconds, so many that an expiry has no end where there is none. */
    public static byte[] retention(Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? bytes(Long.toString(FOREVER)) : bytes(retention);
    }

    /** The owner and the call of a claim. */
    public static byte[] identity(Claim claim) {
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

    /** Behind its length, this one included. They are sealed, and tell by themselves whether they were changed. */
    public static byte[] arguments(StoredArguments arguments) {
        return joined(number(Integer.BYTES + arguments.bytes().length, Integer.BYTES), arguments.bytes());
    }

    /** The fence and owner of a claim, as the scripts compare them. */
    public static byte[] holder(Ownership ownership) {
        byte[] owner = bytes(ownership.owner());
        return joined(fence(ownership.fence()), number(owner.length, 1), owner);
    }

    /** Seven bytes; those of a fence that no record can have match none. */
    public static byte[] fence(long fence) {
        return number(fence < 0 || fence >= 1L << 53 ? -1 : fence, 7);
    }

    public static byte[] outcome(StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            return checked(bytes("r"), present.bytes());
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        return checked(bytes("o"), number(omitted.size(), Long.BYTES), bytes(omitted.reason()));
    }

    public static byte[] outcome(StoredFailure failure) {
        return checked(text(failure.type()), text(failure.message()), text(failure.code()));
    }

    /** Why the outcome is not known. */
    public static byte[] doubt(String reason) {
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

    /** The first digits of the SHA-1 of the bytes between two places: it tells what was damaged or changed by hand. */
    public static byte[] checksum(byte[] bytes, int from, int to) {
        return bytes(sha1(bytes, from, to).substring(0, CHECKSUM));
    }

    /** Hexadecimal digits of what a script can compute as well, and by which Redis names scripts. */
    public static String sha1(byte[] bytes, int from, int to) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(bytes, from, to - from);
            return HexFormat.of().formatHex(sha1.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-1, by which Redis names scripts", e);
        }
    }
}
