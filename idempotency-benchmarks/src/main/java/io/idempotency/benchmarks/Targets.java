package io.idempotency.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the library means to reach, and whether it did: the medians of each round's ratios. */
record Targets(double first, double replay, double firstOfMany, double replayOfMany) {

    /** The side whose bare statements keep the promises. */
    static final String LEAST = "safe floor";

    /** The side that has everything but a server. */
    static final String ALONE = "ours, memory store";

    private static final int MANY = 64;

    static final Targets REDIS_FLOOR = new Targets(0.9, 0.9, 1.5, 1.2);
    static final Targets REDIS_PEER = new Targets(1.1, 1.1, 1.5, 1.2);
    static final Targets REPLICAS = new Targets(0.8, 0.8, 0.8, 0.8);
    static final Targets POSTGRES_FLOOR = new Targets(0.9, 0.85, 3, 1.5);
    static final Targets POSTGRES_PEER = new Targets(1.1, 3, 3, 4);
    static final Targets TRANSACTION = new Targets(0.7, 0.7, 0.5, 0.5);
    static final Targets H2_FLOOR = new Targets(0.8, 0.8, 0.8, 0.8);

    /** What a side is to reach beside another one, or beside the best of several. */
    record Goal(Targets targets, String ours, List<String> others) {

        /** Two rows, of a measurement with so many callers. */
        List<Map<String, Object>> rows(String store, int callers, Turns turns) {
            boolean many = callers >= MANY;
            List<Map<String, Object>> rows = new ArrayList<>();
            rows.add(row(
                    store,
                    callers,
                    best(turns, Turns.Figure.FIRST),
                    "first",
                    many ? targets.firstOfMany : targets.first,
                    least(turns, Turns.Figure.FIRST),
                    least(turns, Turns.Figure.FIRST_BY_CPU),
                    possible(turns, Turns.Figure.FIRST_BY_CPU)));
            rows.add(row(
                    store,
                    callers,
                    best(turns, Turns.Figure.REPLAY),
                    "replay",
                    many ? targets.replayOfMany : targets.replay,
                    least(turns, Turns.Figure.REPLAY),
                    least(turns, Turns.Figure.REPLAY_BY_CPU),
                    possible(turns, Turns.Figure.REPLAY_BY_CPU)));
            return rows;
        }

        /** By the clock; by the processors' time it may be another one. */
        private String best(Turns turns, Turns.Figure figure) {
            String best = Collections.min(others, Comparator.comparingDouble(it -> turns.median(ours, it, figure)));
            return others.size() == 1 ? best : "the best peer (" + best + ')';
        }

        /** By the processors' time, with the library's steps as they are and what the safe floor asks of the server, no more. */
        private Object possible(Turns turns, Turns.Figure byCpu) {
            if (!turns.has(ALONE) || !turns.has(LEAST)) {
                return "-";
            }
            double both = 1 / turns.median(LEAST, null, byCpu) + 1 / turns.median(ALONE, null, byCpu);
            return others.stream()
                    .mapToDouble(it -> 1 / turns.median(it, null, byCpu) / both)
                    .min()
                    .orElseThrow();
        }

        private double least(Turns turns, Turns.Figure figure) {
            return others.stream()
                    .mapToDouble(it -> turns.median(ours, it, figure))
                    .min()
                    .orElseThrow();
        }
    }

    Goal of(String ours, String other) {
        return new Goal(this, ours, List.of(other));
    }

    /** Behind the goal beside the floor, the one beside the best peer where the build has peers. */
    List<Goal> besides(Goal floor, String ours, Map<String, Turns.Side> peers) {
        return peers.isEmpty() ? List.of(floor) : List.of(floor, new Goal(this, ours, List.copyOf(peers.keySet())));
    }

    private static Map<String, Object> row(
            String store,
            int callers,
            String to,
            String call,
            double target,
            double reached,
            double byCpu,
            Object possible) {
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
                "with the safe floor's statements",
                possible,
                "met",
                verdict);
    }
}
