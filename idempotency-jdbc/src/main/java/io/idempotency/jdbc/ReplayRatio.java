package io.idempotency.jdbc;

import io.idempotency.runtime.store.StoredRecord;

/**
 * Decides whether a store's claim begins with a plain look. A look answers a replay for a part of what a claim costs, and is one
 * more round trip for a first call: so it is worth it where most calls lately were replays. Thread-safe; a lost update
 * changes nothing that matters.
 */
final class ReplayRatio {

    private static final int ALL = 1 << 16;
    private static final int WEIGHT = 6;
    private static final int NEVER = 101;

    private final int threshold;
    private volatile int share;

    /**
     * Looks from that share of replays on.
     *
     * @param percent of all calls; 0 for always
     */
    ReplayRatio(int percent) {
        this.threshold = ALL / 100 * percent;
    }

    /**
     * Never looks.
     *
     * @return one that learns nothing
     */
    static ReplayRatio none() {
        return new ReplayRatio(NEVER);
    }

    /**
     * Whether to look before the next claim.
     *
     * @return whether as many calls as asked for were replays lately
     */
    boolean askFirst() {
        return share >= threshold;
    }

    /**
     * Says what a claim has found. The newest of some 64 calls counts for one.
     *
     * @param record the record after the claim; one with an outcome was a replay
     */
    void learn(StoredRecord record) {
        int before = share;
        share = before + (((record.hasOutcome() ? ALL : 0) - before) >> WEIGHT);
    }
}
