package io.idempotency.jdbc;

/**
 * Decides whether a claim asks with a plain SELECT first. It answers a replay for half of what a claim costs, and is one
 * more statement for a first call: so it is worth it where most calls lately were replays. Thread-safe; a lost update
 * changes nothing that matters.
 */
final class ReplayShare {

    private static final int ALL = 1 << 16;
    private static final int WEIGHT = 6;
    private static final int NEVER = 101;

    private final int threshold;
    private volatile int share;

    /** In percent of all calls. */
    ReplayShare(int percent) {
        this.threshold = ALL / 100 * percent;
    }

    static ReplayShare none() {
        return new ReplayShare(NEVER);
    }

    boolean askFirst() {
        return share >= threshold;
    }

    /** The newest of some 64 calls counts for one. */
    void learn(boolean replay) {
        int before = share;
        share = before + (((replay ? ALL : 0) - before) >> WEIGHT);
    }
}
