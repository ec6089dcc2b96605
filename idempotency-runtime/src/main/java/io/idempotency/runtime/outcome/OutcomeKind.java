package io.idempotency.runtime.outcome;

import java.util.Arrays;

/**
 * The kind of a recorded outcome's bytes where they are not just a codec's. It is stored as a mark in front; a codec's bytes that begin
 * like a mark are marked as a result. The letters are stored and never change.
 */
public enum OutcomeKind {
    /** A failure whose answer is recorded. */
    FAILURE('F'),
    /** A result that begins with the mark itself. */
    RESULT('R'),
    /** Any of them, encrypted. */
    ENCRYPTED('E'),
    /** Any of them, compressed. */
    COMPRESSED('Z');

    /** The length of a mark, in bytes. */
    public static final int LENGTH = 5;

    /** Not UTF-8, and no status of a response. */
    private static final byte[] ANY = {(byte) 0xff, (byte) 0xfe, 'i', 'd'};

    private final char letter;

    OutcomeKind(char letter) {
        this.letter = letter;
    }

    /**
     * Returns the mark in front of such bytes.
     *
     * @return {@link #LENGTH} bytes
     */
    public byte[] mark() {
        byte[] mark = Arrays.copyOf(ANY, LENGTH);
        mark[ANY.length] = (byte) letter;
        return mark;
    }

    /**
     * Tells whether bytes are of this kind.
     *
     * @param bytes what is stored
     * @return true when they begin with its mark
     */
    public boolean marks(byte[] bytes) {
        return anyMarks(bytes) && bytes.length > ANY.length && bytes[ANY.length] == (byte) letter;
    }

    /** Tells whether bytes have a mark, even one that this version does not know. */
    static boolean anyMarks(byte[] bytes) {
        return bytes.length >= ANY.length && Arrays.equals(bytes, 0, ANY.length, ANY, 0, ANY.length);
    }
}
