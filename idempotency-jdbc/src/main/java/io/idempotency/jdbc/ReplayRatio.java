package io.idempotency.jdbc;

/**
 * Decides whether a claim begins with a SELECT. That answers a replay in one round trip and costs a first call one
 * more, so it pays when most recent calls were replays. Thread-safe; a lost update does not matter.
 */
final class ReplayRatio {

    private static final double WEIGHT = 1 / 64.0;

    private final int percent;
    private volatile double share;

    /** Sets the share of replays, in percent, from which claims begin with a SELECT; above 100, none does. */
    ReplayRatio(int percent) {
        this.percent = percent;
    }

    boolean asksFirst() {
        return share * 100 >= percent;
    }

    /** Moves the average of the share. */
    void learn(boolean replay) {
        double before = share;
        share = before + ((replay ? 1 : 0) - before) * WEIGHT;
    }
}
