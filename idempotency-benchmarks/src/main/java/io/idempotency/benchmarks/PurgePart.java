package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a load loses while another node removes expired rows. */
final class PurgePart {

    private static final int CALLERS = 8;
    private static final double TARGET = 0.9;

    private PurgePart() {}

    static List<Table> measure(Settings settings) throws Exception {
        int expired =
                settings.records().stream().mapToInt(Integer::intValue).max().orElseThrow();
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on");
                ApplicationContext application = Applications.run(false, Applications.database(server))) {
            Turns.Side calls = Applications.calls(application);
            ManyRows rows = new ManyRows(server, "idempotency_record");
            rows.fill(calls, expired, true);
            long before = left(rows);
            Map<String, Object> normal = rates(settings, calls);
            Map<String, Object> properties = new HashMap<>(Applications.database(server));
            properties.put("idempotency.purge.enabled", true);
            properties.put("idempotency.purge.interval", "100ms");
            long started = System.nanoTime();
            try (ApplicationContext purging = Applications.run(false, properties)) {
                purging.getBean(Charges.class).charge(Charges.Charge.of("wakes the store"));
                Map<String, Object> beside = rates(settings, calls);
                long removed = before - left(rows);
                double seconds = (System.nanoTime() - started) / 1e9;
                return List.of(new Table(
                        "purge",
                        "Purge of " + expired + " expired rows beside a load",
                        "PostgreSQL, " + CALLERS + " callers: calls per second before, and while another node removes"
                                + " expired rows; " + removed + " were removed in " + Math.round(seconds) + " seconds.",
                        List.of(row("first", normal, beside), row("replay", normal, beside))));
            }
        }
    }

    private static long left(ManyRows rows) throws Exception {
        return rows.number("SELECT count(*) FROM idempotency_record WHERE expires_at_ms = 1");
    }

    private static Map<String, Object> rates(Settings settings, Turns.Side calls) throws Exception {
        return new Turns(settings)
                .measure("PostgreSQL", CALLERS, Map.of("ours", calls))
                .get(0);
    }

    private static Map<String, Object> row(String call, Map<String, Object> normal, Map<String, Object> beside) {
        double ratio = Table.number(beside, call) / Table.number(normal, call);
        return Table.row(
                "call",
                call,
                "before",
                Table.number(normal, call),
                "beside a purge",
                Table.number(beside, call),
                "ratio",
                ratio,
                "target",
                TARGET,
                "met",
                ratio >= TARGET ? "yes" : "no");
    }
}
