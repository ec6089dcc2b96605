package io.idempotency.definition;

import java.security.MessageDigest;
import java.util.Arrays;

/** The bytes of a canonical form while they are written: they grow, and pieces of them can be put in order. */
abstract sealed class FingerprintBuffer permits FingerprintWriter {

    private static final int INITIAL_CAPACITY = 512;
    private static final int MAX_VARINT = 10;

    private byte[] buffer = new byte[INITIAL_CAPACITY];
    private int length;

    /** The first byte of a written piece, and the byte after it. */
    private record Piece(int from, int to) {}

    /** Pieces that are written one after the other, and sorted by their bytes at the end. */
    final class Pieces {
        private final int start = length;
        private Piece[] pieces = new Piece[4];
        private int count;

        /** Ends a piece, which began where the last one ended. */
        void add() {
            if (count == pieces.length) {
                pieces = Arrays.copyOf(pieces, count * 2);
            }
            pieces[count] = new Piece(count == 0 ? start : pieces[count - 1].to(), length);
            count++;
        }

        void sort() {
            byte[] written = Arrays.copyOfRange(buffer, start, length);
            Arrays.sort(pieces, 0, count, this::compare);
            int at = start;
            for (int i = 0; i < count; i++) {
                int size = pieces[i].to() - pieces[i].from();
                System.arraycopy(written, pieces[i].from() - start, buffer, at, size);
                at += size;
            }
        }

        private int compare(Piece one, Piece other) {
            return Arrays.compareUnsigned(buffer, one.from(), one.to(), buffer, other.from(), other.to());
        }
    }

    /** A copy of what was written so far. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, length);
    }

    /** Adds what was written so far to a digest. */
    public void digestInto(MessageDigest digest) {
        digest.update(buffer, 0, length);
    }

    final void tag(char tag) {
        ensure(1);
        buffer[length++] = (byte) tag;
    }

    final void framed(char tag, byte[] value) {
        ensure(1 + MAX_VARINT + value.length);
        buffer[length++] = (byte) tag;
        varint(value.length);
        raw(value);
    }

    final void int64(char tag, long value) {
        ensure(1 + Long.BYTES);
        buffer[length++] = (byte) tag;
        int64(value);
    }

    final void int64(long value) {
        ensure(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            buffer[length++] = (byte) (value >>> shift);
        }
    }

    /** A number in as few bytes as it needs, near zero on either side. */
    final void number(char tag, long value) {
        ensure(1 + MAX_VARINT);
        buffer[length++] = (byte) tag;
        number(value);
    }

    final void number(long value) {
        ensure(MAX_VARINT);
        varint(value << 1 ^ value >> Long.SIZE - 1);
    }

    /** Each UTF-16 unit on its own, so that unpaired surrogates stay apart where UTF-8 would write them all as '?'. */
    final void chars(char tag, CharSequence sequence) {
        String value = sequence.toString(); // one type to call in the loop
        int count = value.length();
        ensure(1 + MAX_VARINT + 3 * count);
        buffer[length++] = (byte) tag;
        varint(count);
        byte[] target = buffer;
        int at = length;
        for (int i = 0; i < count; i++) {
            char unit = value.charAt(i);
            if (unit < 0x80) {
                target[at++] = (byte) unit;
            } else if (unit < 0x800) {
                target[at++] = (byte) (0xc0 | unit >> 6);
                target[at++] = (byte) (0x80 | unit & 0x3f);
            } else {
                target[at++] = (byte) (0xe0 | unit >> 12);
                target[at++] = (byte) (0x80 | unit >> 6 & 0x3f);
                target[at++] = (byte) (0x80 | unit & 0x3f);
            }
        }
        length = at;
    }

    final void raw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, buffer, length, value.length);
        length += value.length;
    }

    /** Unsigned; there is room. */
    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            buffer[length++] = (byte) (rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        buffer[length++] = (byte) rest;
    }

    private void ensure(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
