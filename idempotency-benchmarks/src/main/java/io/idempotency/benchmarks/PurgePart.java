package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What a load loses while another node removes expired rows: in every round the load runs without that node, then beside it. */
final class PurgePart {

    private static final int CALLERS = 8;
    private static final double TARGET = 0.9;

    private PurgePart() {}

    /**
     * What one round gave.
     *
     * @param alone rates without a purge
     * @param beside rates beside it
     */
    private record Round(Map<String, Object> alone, Map<String, Object> beside) {
        double ratio(String call) {
            return Table.number(beside, call) / Table.number(alone, call);
        }
    }

    static List<Table> measure(Settings settings) throws Exception {
        int expired =
                settings.records().stream().mapToInt(Integer::intValue).max().orElseThrow();
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on");
                ApplicationContext application = Applications.run(false, Applications.database(server))) {
            Turns.Side calls = Applications.calls(application);
            ManyRows rows = new ManyRows(server, "idempotency_record");
            rows.fill(calls, expired, true);
            long before = left(rows);
            List<Round> rounds = new ArrayList<>();
            double seconds = 0;
            for (int i = 0; i < settings.rounds(); i++) {
                Map<String, Object> alone = rates(settings, calls);
                long started = System.nanoTime();
                try (ApplicationContext purging = purging(server)) {
                    purging.getBean(Charges.class).charge(Charges.Charge.of("wakes the store"));
                    rounds.add(new Round(alone, rates(settings, calls)));
                }
                seconds += (System.nanoTime() - started) / 1e9;
            }
            long left = left(rows);
            return List.of(new Table(
                    "purge",
                    "Purge of " + expired + " expired rows beside a load",
                    "PostgreSQL, " + CALLERS
                            + " callers: calls per second alone, and while another node removes expired rows, in "
                            + "turns; the ratio is the median of the rounds' ratios. " + (before - left)
                            + " rows were removed in "
                            + Math.round(seconds) + " seconds"
                            + (left > 0 ? "." : ": they did not last for all rounds, which makes the ratio too good."),
                    List.of(row("first", rounds), row("replay", rounds))));
        }
    }

    private static ApplicationContext purging(PostgresServer server) {
        Map<String, Object> properties = new HashMap<>(Applications.database(server));
        properties.put("idempotency.purge.enabled", true);
        properties.put("idempotency.purge.interval", "100ms");
        return Applications.run(false, properties);
    }

    private static long left(ManyRows rows) throws Exception {
        return rows.number("SELECT count(*) FROM idempotency_record WHERE expires_at_ms = 1");
    }

    /** Of one round, which begins with a warm-up. */
    private static Map<String, Object> rates(Settings settings, Turns.Side calls) throws Exception {
        return new Turns(settings.once())
                .measure("PostgreSQL", CALLERS, Map.of("ours", calls))
                .get(0);
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
        return rounds.stream().mapToDouble(value).sorted().toArray()[rounds.size() / 2];
    }

    private static Map<String, Object> row(String call, List<Round> rounds) {
        double ratio = median(rounds, round -> round.ratio(call));
        return Table.row(
                "call",
                call,
                "alone",
                median(rounds, round -> Table.number(round.alone(), call)),
                "beside a purge",
                median(rounds, round -> Table.number(round.beside(), call)),
                "ratio",
                ratio,
                "target",
                TARGET,
                "met",
                ratio >= TARGET ? "yes" : "no");
    }
}
