package io.idempotency.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the library means to reach, and whether it did: the medians of each round's ratios. */
record Targets(double first, double replay, double firstOfMany, double replayOfMany) {

    private static final int MANY = 64;

    static final Targets REDIS_FLOOR = new Targets(0.9, 0.9, 1.5, 1.2);
    static final Targets REDIS_PEER = new Targets(1.1, 1.1, 1.5, 1.2);
    static final Targets POSTGRES_FLOOR = new Targets(0.9, 0.85, 3, 1.5);
    static final Targets POSTGRES_PEER = new Targets(1.1, 3, 3, 4);
    static final Targets H2_FLOOR = new Targets(0.8, 0.8, 0.8, 0.8);

    /** Rows for each number of callers of a measurement, to the floor or to the best of several peers. */
    List<Map<String, Object>> of(String store, int callers, Turns turns, String ours, List<String> others) {
        List<Map<String, Object>> rows = new ArrayList<>();
        String to = others.size() == 1 ? others.get(0) : "the best peer";
        boolean many = callers >= MANY;
        double[] reached = new double[4];
        for (int what = 0; what < reached.length; what++) {
            int figure = what;
            reached[what] = others.stream()
                    .mapToDouble(it -> turns.median(ours, it, figure))
                    .min()
                    .orElseThrow();
        }
        rows.add(row(store, callers, to, "first", many ? firstOfMany : first, reached[0], reached[2]));
        rows.add(row(store, callers, to, "replay", many ? replayOfMany : replay, reached[1], reached[3]));
        return rows;
    }

    private static Map<String, Object> row(
            String store, int callers, String to, String call, double target, double reached, double byCpu) {
        String verdict = reached >= target
                ? "yes"
                : String.format(Locale.ROOT, "no, %.0f %% short", 100 * (1 - reached / target));
        return Table.row(
                "store",
                store,
                "callers",
                callers,
                "to",
                to,
                "call",
                call,
                "target",
                target,
                "reached",
                reached,
                "by the processors' time",
                byCpu,
                "met",
                verdict);
    }
}
