package io.idempotency.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stored record's bytes, to be changed behind the store's back.
 *
 * @param text one character for each byte
 */
record Packed(String text) {

    static final int HEAD = 44;

    /** The numbers of a record's head, and what each counts in their check. */
    enum Number {
        STATE(2, 1, 1),
        ATTEMPT(7, 4, 3),
        CLAIMED_MS(11, 6, 5),
        LEASE_UNTIL_MS(17, 6, 7),
        EXPIRES_MS(23, 6, 11),
        SETTLED_MS(29, 6, 13),
        SIZE(35, 2, 17),
        FENCE(37, 7, 1);

        private final int offset;
        private final int bytes;
        private final int weight;

        Number(int offset, int bytes, int weight) {
            this.offset = offset;
            this.bytes = bytes;
            this.weight = weight;
        }
    }

    static Packed of(@Nullable String stored) {
        return new Packed(String.valueOf(stored));
    }

    static Packed of(byte[] bytes) {
        return new Packed(new String(bytes, ISO_8859_1));
    }

    byte[] bytes() {
        return text.getBytes(ISO_8859_1);
    }

    long get(Number number) {
        long value = 0;
        for (int i = number.offset; i < number.offset + number.bytes; i++) {
            value = value << 8 | text.charAt(i);
        }
        return value;
    }

    /** Another number, and the check as it was. */
    Packed damaged(Number number, long value) {
        byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return with(number.offset, Arrays.copyOfRange(wide, Long.BYTES - number.bytes, Long.BYTES));
    }

    /** Another number that nobody can tell from a true one. */
    Packed forged(Number number, long value) {
        Packed forged = damaged(number, value);
        long check = Arrays.stream(Number.values())
                .mapToLong(each ->
                        each.weight * (each == Number.FENCE ? forged.get(each) % 4_294_967_291L : forged.get(each)))
                .sum();
        return forged.with(
                3, ByteBuffer.allocate(4).putInt((int) (check % 4_294_967_291L)).array());
    }

    Packed with(int offset, byte... bytes) {
        byte[] all = bytes();
        System.arraycopy(bytes, 0, all, offset, bytes.length);
        return of(all);
    }

    /** Another outcome, with the checksum that belongs to it. */
    Packed withOutcome(byte[] content) {
        int end = HEAD + (int) get(Number.SIZE);
        byte[] checksum = PackedRecord.checksum(content, 0, content.length);
        return new Packed(
                text.substring(0, end) + of(checksum).text() + of(content).text());
    }

    Packed cut(int length) {
        return new Packed(text.substring(0, length));
    }
}
