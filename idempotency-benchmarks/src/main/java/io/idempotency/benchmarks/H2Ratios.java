package io.idempotency.benchmarks;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;

/** First calls and replays per second of the JDBC store on H2 in memory, beside bare statements on the same pool. */
public final class H2Ratios {

    private H2Ratios() {}

    /**
     * Measures.
     *
     * @param arguments rounds (9), milliseconds per side and round (500), callers (1,8), connections in the pool (16)
     */
    public static void main(String[] arguments) throws Exception {
        Rounds rounds = new Rounds(
                Integer.parseInt(Report.given(arguments, 0, "9")), Long.parseLong(Report.given(arguments, 1, "500")));
        ThreadFactory threads = Threads.of("platform").orElseThrow();
        Report report = new Report("h2", "H2 in memory");
        try (JdbcSides sides = JdbcSides.open(
                "VARBINARY",
                Map.of(
                        "datasources.default.url",
                        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "datasources.default.username",
                        "sa",
                        "datasources.default.password",
                        "",
                        "datasources.default.maximum-pool-size",
                        Report.given(arguments, 3, "16")))) {
            Map<String, Rounds.Side> measured = Map.of("floor", sides.floor(""), "store", sides.asked());
            for (String callers : Report.given(arguments, 2, "1,8").split(",", -1)) {
                for (boolean first : new boolean[] {true, false}) {
                    report.add(
                            Integer.parseInt(callers),
                            "platform",
                            first ? "first" : "replay",
                            rounds.measure(measured, "floor", Integer.parseInt(callers), threads, first, sides::empty));
                }
            }
        }
        report.write();
    }
}
