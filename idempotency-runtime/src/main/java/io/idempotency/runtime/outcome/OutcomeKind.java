package io.idempotency.runtime.outcome;

import java.util.Arrays;

/**
 * What the bytes of a recorded outcome are, where they are anything else than a codec's: a mark that no codec's bytes begin
 * with, because those that would are marked as results. The letters are stored, so they stay.
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

    /** How long a mark is. */
    public static final int LENGTH = 5;

    /** Not UTF-8, and no status of a response. */
    private static final byte[] ANY = {(byte) 0xff, (byte) 0xfe, 'i', 'd'};

    private final char letter;

    OutcomeKind(char letter) {
        this.letter = letter;
    }

    /**
     * What its bytes begin with.
     *
     * @return {@link #LENGTH} bytes
     */
    public byte[] mark() {
        byte[] mark = Arrays.copyOf(ANY, LENGTH);
        mark[ANY.length] = (byte) letter;
        return mark;
    }

    /**
     * Whether these are bytes of this kind.
     *
     * @param bytes what is stored
     * @return true when they begin with its mark
     */
    public boolean marks(byte[] bytes) {
        return anyMarks(bytes) && bytes.length > ANY.length && bytes[ANY.length] == (byte) letter;
    }

    /** Whether these are bytes of any kind, even of one that is not known here. */
    static boolean anyMarks(byte[] bytes) {
        return bytes.length >= ANY.length && Arrays.equals(bytes, 0, ANY.length, ANY, 0, ANY.length);
    }
}
