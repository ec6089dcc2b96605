package io.idempotency.runtime.outcome;

import java.util.Arrays;

/**
 * The kind of a recorded outcome whose bytes are not just a codec's, stored as a mark in front of them. A codec's bytes
 * that happen to begin like a mark are marked as a result. The letters are stored and never change.
 */
public enum OutcomeKind {
    /** A failure with its answer. */
    FAILURE('F'),
    /** A result whose own bytes begin like a mark. */
    RESULT('R'),
    /** An encrypted outcome of any kind. */
    ENCRYPTED('E'),
    /** A compressed outcome of any kind. */
    COMPRESSED('Z');

    /** The length of a mark, in bytes. */
    public static final int LENGTH = 5;

    /** The beginning of every mark: neither valid UTF-8 nor the status of a response. */
    private static final byte[] ANY = {(byte) 0xff, (byte) 0xfe, 'i', 'd'};

    private final char letter;

    OutcomeKind(char letter) {
        this.letter = letter;
    }

    /** Returns the mark of this kind, {@link #LENGTH} bytes. */
    public byte[] mark() {
        byte[] mark = Arrays.copyOf(ANY, LENGTH);
        mark[ANY.length] = (byte) letter;
        return mark;
    }

    /** Tells whether bytes begin with the mark of this kind. */
    public boolean marks(byte[] bytes) {
        return anyMarks(bytes) && bytes.length > ANY.length && bytes[ANY.length] == (byte) letter;
    }

    /** Tells whether bytes begin with a mark, even one that this version does not know. */
    static boolean anyMarks(byte[] bytes) {
        return bytes.length >= ANY.length && Arrays.equals(bytes, 0, ANY.length, ANY, 0, ANY.length);
    }
}
