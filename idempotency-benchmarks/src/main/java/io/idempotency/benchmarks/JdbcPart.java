package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.jdbc.DataSourceResolver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** PostgreSQL and H2: two bare statements, this library, the statements of its peers. */
final class JdbcPart {

    private static final String HOW =
            "Calls per second, and medians of each round's ratio to the floor: two bare statements on"
                    + " a table of eight columns for a first call, an indexed SELECT for a replay, on a pool of "
                    + Applications.POOL
                    + ". Ours is the whole library, from the advised method on.";

    private JdbcPart() {}

    static List<Table> postgres(Settings settings) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=on", "full_page_writes=on")) {
            Map<String, Object> database = Applications.database(server);
            try (ApplicationContext ours = Applications.run(false, database);
                    ApplicationContext near = Applications.run(true, database)) {
                BareStatements bare = new BareStatements(pool(ours), "BYTEA", " ON CONFLICT (id) DO NOTHING");
                Map<String, Turns.Side> sides = new LinkedHashMap<>();
                sides.put("floor", bare.floor());
                sides.put("ours", Applications.calls(ours));
                sides.put("statements of adzubla", bare.adzubla());
                sides.put("statements of KHolodilin", bare.kholodilin());
                sides.put("ours, near cache", Applications.calls(near));
                List<Map<String, Object>> rows = new ArrayList<>();
                List<Map<String, Object>> targets = new ArrayList<>();
                Turns turns = new Turns(settings);
                for (int callers : settings.callers()) {
                    rows.addAll(turns.measure("PostgreSQL", callers, sides));
                    targets.addAll(Targets.POSTGRES_FLOOR.of("PostgreSQL", callers, turns, "ours", List.of("floor")));
                    targets.addAll(Targets.POSTGRES_PEER.of(
                            "PostgreSQL",
                            callers,
                            turns,
                            "ours",
                            List.of("statements of adzubla", "statements of KHolodilin")));
                }
                return tables(
                        "postgresql",
                        "PostgreSQL, " + settings.threads() + " threads",
                        HOW
                                + " The peers' sides are the statements that they send, each in one transaction as they use it,"
                                + " re-implemented here without their frameworks: what they could reach at best. fsync is on.",
                        rows,
                        targets);
            }
        }
    }

    static List<Table> h2(Settings settings) throws Exception {
        Map<String, Object> database =
                Applications.database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        try (ApplicationContext ours = Applications.run(false, database)) {
            BareStatements bare = new BareStatements(pool(ours), "VARBINARY(100000)", "");
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            sides.put("floor", bare.floor());
            sides.put("ours", Applications.calls(ours));
            List<Map<String, Object>> rows = new ArrayList<>();
            List<Map<String, Object>> targets = new ArrayList<>();
            Turns turns = new Turns(settings);
            for (int callers : settings.callers()) {
                rows.addAll(turns.measure("H2", callers, sides));
                targets.addAll(Targets.H2_FLOOR.of("H2", callers, turns, "ours", List.of("floor")));
            }
            return tables("h2", "H2 in memory, " + settings.threads() + " threads", HOW, rows, targets);
        }
    }

    /** Not what hands out the connection of a transaction. */
    static DataSource pool(ApplicationContext application) {
        return application.getBean(DataSourceResolver.class).resolve(application.getBean(DataSource.class));
    }

    private static List<Table> tables(
            String part, String title, String how, List<Map<String, Object>> rows, List<Map<String, Object>> targets) {
        return List.of(new Table(part, title, how, rows), new Table(part, title + ": targets", "", targets));
    }
}
