package io.idempotency.jdbc;

/**
 * Decides whether a claim begins with a SELECT. That answers a replay in one round trip and costs a first call one
 * more, so it pays when most recent calls were replays. Thread-safe; a lost update does not matter.
 */
final class ReplayRatio {

    private static final int ALL = 1 << 16;

    /** The share is a moving average in which each call weighs 1/64. */
    private static final int WEIGHT = 6;

    private final int threshold;
    private volatile int share;

    /** Sets the share of replays, in percent, from which claims begin with a SELECT; above 100, none does. */
    ReplayRatio(int percent) {
        this.threshold = ALL / 100 * percent;
    }

    boolean asksFirst() {
        return share >= threshold;
    }

    void learn(boolean replay) {
        int before = share;
        share = before + (((replay ? ALL : 0) - before) >> WEIGHT);
    }
}
