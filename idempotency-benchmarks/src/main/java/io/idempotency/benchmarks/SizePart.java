package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much room records take, and whether calls are slower among many of them. */
final class SizePart {

    private static final int CALLERS = 8;

    private SizePart() {}

    static List<Table> measure(Settings settings) throws Exception {
        List<Map<String, Object>> room = new ArrayList<>();
        List<Map<String, Object>> rates = new ArrayList<>();
        postgres(settings, room, rates);
        redis(settings, room, rates);
        return List.of(
                new Table(
                        "size",
                        "Room that records take",
                        "Bytes of one completed record: of the table with its indexes, or of the server's memory; and of the"
                                + " write-ahead log of one first call without images of whole pages. The bare hash is the floor's.",
                        room),
                new Table(
                        "size",
                        "Calls among many records",
                        "Ratios are to the same calls among the fewest records, " + CALLERS + " callers.",
                        rates));
    }

    private static void postgres(Settings settings, List<Map<String, Object>> room, List<Map<String, Object>> rates)
            throws Exception {
        List<ApplicationContext> applications = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start("fsync=on")) {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            for (int records : settings.records()) {
                Map<String, Object> properties = new HashMap<>(Applications.database(server));
                String table = "record_" + records;
                properties.put("idempotency.jdbc.table", table);
                ApplicationContext application = Applications.run(false, properties);
                applications.add(application);
                ManyRows rows = new ManyRows(server, table);
                rows.fill(Applications.calls(application), records, false);
                long bytes = rows.number("SELECT pg_total_relation_size('" + table + "')");
                double wal = rows.logged(Applications.calls(application));
                room.add(Table.row(
                        "store",
                        "PostgreSQL",
                        "records",
                        records,
                        "bytes",
                        (double) bytes / rows.count(),
                        "log bytes",
                        wal,
                        "bare hash",
                        "-"));
                sides.put(records + " records", Applications.calls(application));
            }
            rates.addAll(new Turns(settings).measure("PostgreSQL", CALLERS, sides));
        } finally {
            applications.forEach(ApplicationContext::close);
        }
    }

    private static void redis(Settings settings, List<Map<String, Object>> room, List<Map<String, Object>> rates)
            throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            Map<String, Turns.Side> sides = new LinkedHashMap<>();
            for (int records : settings.records()) {
                RedisServer server = RedisServer.onHost();
                open.add(0, server);
                ApplicationContext application = Applications.redis(server.uri(), Map.of());
                open.add(0, application);
                BareCommands bare = new BareCommands(server.uri());
                open.add(0, bare);
                ManyKeys keys = new ManyKeys(bare.redis());
                double hash = keys.bytesOfEach(bare.floor(), "floor:*", 10_000);
                double ours = keys.bytesOfEach(Applications.calls(application), "idempotency:*", records);
                room.add(Table.row(
                        "store", "Redis", "records", records, "bytes", ours, "log bytes", "-", "bare hash", hash));
                sides.put(records + " records", Applications.calls(application));
            }
            rates.addAll(new Turns(settings).measure("Redis", CALLERS, sides));
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }
}
