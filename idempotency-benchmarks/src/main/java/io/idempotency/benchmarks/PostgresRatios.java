package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * First calls and replays per second of the JDBC store on PostgreSQL, beside two bare statements and one indexed SELECT on
 * the same pool; and calls in the caller's transaction, beside the same calls outside. The store is asked through its
 * contract, without the rest of the library.
 */
public final class PostgresRatios {

    private PostgresRatios() {}

    /**
     * Measures.
     *
     * @param arguments rounds (9), milliseconds per side and round (500), callers (1,8,64), kinds of threads
     *     (platform,virtual), connections in the pool (16), settings of the server (fsync=on,full_page_writes=on),
     *     properties of the application
     */
    public static void main(String[] arguments) throws Exception {
        Rounds rounds = new Rounds(
                Integer.parseInt(Report.given(arguments, 0, "9")), Long.parseLong(Report.given(arguments, 1, "500")));
        String connections = Report.given(arguments, 4, "16");
        String settings = Report.given(arguments, 5, "fsync=on,full_page_writes=on");
        Report report =
                new Report("postgres-pool-" + connections, "PostgreSQL, " + settings + ", pool of " + connections);
        try (PostgresServer server = PostgresServer.start(settings.split(",", -1))) {
            Map<String, Object> properties = new HashMap<>(Map.of(
                    "datasources.default.url", server.url(),
                    "datasources.default.username", server.user(),
                    "datasources.default.password", server.password(),
                    "datasources.default.maximum-pool-size", connections));
            for (String property :
                    Report.given(arguments, 6, "idempotency.enabled=true").split(",", -1)) {
                properties.put(property.split("=", 2)[0], property.split("=", 2)[1]);
            }
            try (JdbcSides sides = JdbcSides.open("BYTEA", properties)) {
                for (String callers : Report.given(arguments, 2, "1,8,64").split(",", -1)) {
                    for (String kind :
                            Report.given(arguments, 3, "platform,virtual").split(",", -1)) {
                        Optional<ThreadFactory> threads = Threads.of(kind);
                        if (threads.isPresent()) {
                            measure(sides, rounds, Integer.parseInt(callers), kind, threads.get(), report);
                        }
                    }
                }
            }
        }
        report.write();
    }

    private static void measure(
            JdbcSides sides, Rounds rounds, int callers, String kind, ThreadFactory threads, Report report)
            throws InterruptedException {
        Map<String, Rounds.Side> bare =
                Map.of("floor", sides.floor(" ON CONFLICT (id) DO NOTHING"), "store", sides.asked());
        Map<String, Rounds.Side> beside =
                Map.of("outside", sides.asked(), "in the caller's transaction", sides.insideOf(sides.asked()));
        for (boolean first : new boolean[] {true, false}) {
            String call = first ? "first" : "replay";
            report.add(callers, kind, call, rounds.measure(bare, "floor", callers, threads, first, sides::empty));
            report.add(callers, kind, call, rounds.measure(beside, "outside", callers, threads, first, sides::empty));
        }
    }
}
