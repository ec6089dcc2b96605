package io.idempotency.jdbc;

/**
 * Decides whether a claim begins with a plain look. A look answers a replay for a part of what a claim costs, and is one more round trip
 * for a first call: so it is worth it where most calls lately were replays. Thread-safe; a lost update changes nothing that matters.
 */
final class ReplayRatio {

    private static final int ALL = 1 << 16;

    /** The newest of some 64 calls counts for one. */
    private static final int WEIGHT = 6;

    private final int threshold;
    private volatile int share;

    /** Looks from that share of replays on, in percent; above 100 never. */
    ReplayRatio(int percent) {
        this.threshold = ALL / 100 * percent;
    }

    boolean asksFirst() {
        return share >= threshold;
    }

    /** Learns what a call was. */
    void learn(boolean replay) {
        int before = share;
        share = before + (((replay ? ALL : 0) - before) >> WEIGHT);
    }
}
