package io.idempotency.runtime.engine;

/**
 * Fails where the stack is nearly used up, before anything is taken: what a call takes it can then also give back. A stack
 * overflow in the middle of a step of {@code ConcurrentHashMap}, or while a class is initialised, would leave it broken for ever.
 */
final class StackReserve {

    private static final int FRAMES = 64;

    private StackReserve() {}

    /** Throws {@link StackOverflowError} where the stack does not suffice for a call and its end. */
    static void require() {
        if (deep(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8) == 0) {
            throw new IllegalStateException("never"); // the sum is used, so that it is not optimised away
        }
    }

    /** Everything is used after the call again, so it has to lie in the frame meanwhile. */
    private static long deep(int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
        if (frames == 0) {
            return 1;
        }
        long below = deep(frames - 1, b, c, d, e, f, g, h, a);
        return Math.max(1, below + (a ^ b) + (c ^ d) + (e ^ f) + (g ^ h));
    }
}
